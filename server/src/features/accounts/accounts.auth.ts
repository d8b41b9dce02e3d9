import { AsyncLocalStorage } from 'node:async_hooks';
import { SENTENCES } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { type Account, betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { admin } from 'better-auth/plugins/admin';
import { twoFactor as secondFactor } from 'better-auth/plugins/two-factor';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../config.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { isOwnOrigin } from '../../platform/http/origin.ts';
import { hashPassword, verifyPassword } from '../../platform/password.ts';
import { askToVerify } from './accounts.email.service.ts';
import { consumeAttempt } from './accounts.limits.service.ts';
import { passkeys } from './accounts.passkeys.table.ts';
import { createUserDocument, passwordHash, recordSignIn } from './accounts.service.ts';
import { authAccount, authSession, rateLimit, twoFactor, user, verification } from './accounts.table.ts';
import { queuePicture } from './photos/photos.service.ts';
import type { passkeysPlugin } from './ways-in/passkeys.ts';
import { providersPlugin } from './ways-in/providers.ts';

/** The only header from which better-auth reads the client's address. Always overwritten before a request gets there. */
export const ADDRESS_HEADER = 'x-atelier-client-address';

/** A new password's hash, made before the transaction that stores it: hashing inside would block the embedded database. */
export const preparedHash = new AsyncLocalStorage<string>();

/**
 * While set, no session is deleted, and new ones are noted here. The second factor's calls replace the caller's session, of which open pages
 * hear before they have the new cookie: they would sign themselves out.
 */
export const keptSession = new AsyncLocalStorage<string[]>();

/** What a sign-in without a password came to, noted during its call. */
export interface SignInTrace {
  /** The user whose session began. */
  userId?: string;
  /** The call opened the account. */
  isNew?: true;
}
export const signInTrace = new AsyncLocalStorage<SignInTrace>();

export type Auth = ReturnType<typeof createAuth>;

/** Our fields on the user, which no client can set. */
const OWN_FIELDS = {
  phoneNumber: { type: 'string', required: false, input: false },
  lastSignInAt: { type: 'date', required: false, input: false },
} as const;

/** Creates the identity provider on the given database; only this feature's routes reach it. The one for passkeys has their plugin too. */
export function createAuth(deps: Deps, passkeyPlugins: ReturnType<typeof passkeysPlugin>[] = []) {
  const { config } = deps;
  const { db, currentTx } = exposeTransaction(deps.db);
  return betterAuth({
    database: drizzleAdapter(db, {
      provider: 'pg',
      transaction: true,
      schema: {
        user,
        session: authSession,
        account: authAccount,
        verification,
        rateLimit,
        twoFactor,
        passkey: passkeys,
      },
    }),
    secret: config.AUTH_SECRET,
    baseURL: config.PUBLIC_URL === undefined ? 'http://localhost' : new URL(config.PUBLIC_URL).origin,
    basePath: '/api/auth',
    trustedOrigins: (request) => ownOrigin(config, request),
    telemetry: { enabled: false },
    // Pass unexpected errors to us; its router would print them with all their parameters.
    onAPIError: { throw: true, errorURL: '/login' },
    logger: { level: 'error', log: (_level, _message, ...args) => report(deps.log, args) },
    emailAndPassword: {
      enabled: true,
      // Our own rules come first: they count characters and name what is missing.
      minPasswordLength: 1,
      maxPasswordLength: 4096,
      password: {
        hash: async (password) => preparedHash.getStore() ?? hashForNobody(deps, password),
        verify: verifyPassword,
      },
    },
    user: { additionalFields: OWN_FIELDS },
    account: PROVIDER_ACCOUNTS,
    session: sessionLife(config),
    rateLimit: rateLimits(deps),
    advanced: {
      useSecureCookies: config.PUBLIC_URL?.startsWith('https://') ?? false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => uuidv7() },
    },
    databaseHooks: { account: accountHooks(deps, currentTx), session: sessionHooks(deps) },
    plugins: [...pluginsOf(deps), ...passkeyPlugins],
  });
}

const pluginsOf = (deps: Deps) => [
  admin({ bannedUserMessage: SENTENCES.accountDisabled }),
  withProviders(secondFactor({ issuer: PRODUCT_NAME })),
  providersPlugin(deps.config, (error) => deps.log.error('identity.provider', error)),
];

const accountHooks = (deps: Deps, currentTx: () => Tx | undefined) => ({
  create: {
    // better-auth's own “after” hooks run after the transaction; this one runs inside it, after the user's insert.
    before: async (account: Account & Record<string, unknown>) => {
      const open = currentTx();
      const welcome = (tx: Tx) => welcomeUser(deps, tx, { ...account, isNew: open !== undefined });
      await (open === undefined ? deps.db.transaction(welcome) : welcome(open));
      return { data: { ...account, ...NO_TOKENS } };
    },
  },
});

/** Accounts at Google and GitHub. Only a signed-in person links them; a new sign-in with an email in use is refused with that reason. */
const PROVIDER_ACCOUNTS = {
  updateAccountOnSignIn: false,
  accountLinking: {
    disableImplicitLinking: true,
    // The email there may be another than here: the person is signed in at both.
    allowDifferentEmails: true,
    trustedProviders: ['google', 'github'],
  },
};

/** We ask a provider once, who it is; its tokens are worth nothing to us. */
const NO_TOKENS = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
};

/** better-auth asks for the second factor only after a password; this asks for it after a provider's sign-in too. */
function withProviders<T extends ReturnType<typeof secondFactor>>(plugin: T): T {
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) => context.path === '/callback/:id' || hook.matcher(context),
  }));
  return { ...plugin, hooks: { ...plugin.hooks, after } };
}

/**
 * A sign-in with an unknown email is hashed too, so that its time doesn't tell. A known one costs one statement more, which is made up for
 * here: everything else that sets a password brings its own hash.
 */
async function hashForNobody(deps: Deps, password: string): Promise<string> {
  await passwordHash(deps, '');
  return hashPassword(password, deps.passwordCost);
}

const sessionLife = ({ SESSION_SECONDS }: Config) => ({
  expiresIn: SESSION_SECONDS,
  // Using a session prolongs it once a tenth of its life (at most a day) has passed.
  updateAge: Math.min(24 * 60 * 60, Math.floor(SESSION_SECONDS / 10)),
  // A cached session would let a disabled account continue.
  cookieCache: { enabled: false },
});

const sessionHooks = (deps: Deps) => ({
  create: {
    after: async ({ id, userId }: { id: string; userId: string }) => {
      keptSession.getStore()?.push(id);
      Object.assign(signInTrace.getStore() ?? {}, { userId });
      await recordSignIn(deps, userId);
    },
  },
  delete: { before: async () => keptSession.getStore() === undefined },
});

async function welcomeUser(deps: Deps, tx: Tx, account: { userId: string; isNew: boolean }): Promise<void> {
  await createUserDocument(tx, account.userId);
  if (!account.isNew) return;
  // Not sent to an address that the provider has confirmed.
  await askToVerify(deps, tx, account.userId);
  const trace = signInTrace.getStore();
  if (trace === undefined) return;
  trace.isNew = true;
  await queuePicture(deps, tx, account.userId);
}

function rateLimits(deps: Deps) {
  return {
    enabled: true,
    window: 60,
    max: 100,
    customRules: {
      // These two are counted before anything of them is read, see accounts.routes.
      '/sign-in/email': false as const,
      '/sign-up/email': false as const,
      // Every open page asks this now and then; it costs one read and reveals nothing.
      '/get-session': false as const,
      // Five wrong codes end a sign-in, ten close the second factor for a quarter of an hour; the rest asks for the password, see accounts.settings.
      '/two-factor/*': false as const,
      // Counted by our routes.
      '/sign-in/social': false as const,
      '/callback/*': false as const,
      '/passkey/*': false as const,
    },
    customStorage: { consume: (key: string, rule: { window: number; max: number }) => consumeAttempt(deps, key, rule) },
  };
}

/** The handle for better-auth, and its open transaction in the current context. */
function exposeTransaction(outer: Db) {
  const open = new AsyncLocalStorage<Tx>();
  const transaction: Db['transaction'] = (work, options) =>
    outer.transaction((tx) => open.run(tx, () => work(tx)), options);
  const db = new Proxy(outer, {
    get: (target, property) => (property === 'transaction' ? transaction : Reflect.get(target, property)),
  });
  return { db, currentTx: () => open.getStore() };
}

function ownOrigin(config: Config, request?: Request): string[] {
  const origin = request?.headers.get('origin');
  return request && origin && isOwnOrigin(config, origin, request.url) ? [origin] : [];
}

/** Failures that better-auth logged during a call: it answers most of them as the request's fault, or as success. */
export const loggedFailures = new AsyncLocalStorage<unknown[]>();

/** Its messages may contain an email; log only the safe part of an error. */
function report(log: Deps['log'], args: unknown[]): void {
  loggedFailures.getStore()?.push(...args);
  log.error(
    'identity.failed',
    args.find((arg) => arg instanceof Error),
  );
}
