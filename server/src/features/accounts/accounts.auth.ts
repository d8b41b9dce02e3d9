import { AsyncLocalStorage } from 'node:async_hooks';
import { signInProvider } from '@atelier/contract/accounts';
import { SENTENCES } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { admin } from 'better-auth/plugins/admin';
import { twoFactor as secondFactor } from 'better-auth/plugins/two-factor';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../config.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { isOwnOrigin } from '../../platform/http/origin.ts';
import { isRecord } from '../../platform/parsed-json.ts';
import { hashPassword, verifyPassword } from '../../platform/password.ts';
import { secretsOf } from '../../platform/secrets.ts';
import { authAccount, authSession, passkeys, rateLimit, twoFactor, verification } from './accounts.identity.table.ts';
import { consumeAttempt } from './accounts.limits.service.ts';
import { passwordHash } from './accounts.service.ts';
import { user } from './accounts.table.ts';
import { accountHooks, sessionHooks, userHooks } from './auth/auth-hooks.ts';
import { loggedFailures, preparedHash, provenOwner, signInTrace } from './auth/call-notes.ts';
import { withReadableFactors } from './auth/readable-factors.service.ts';
import type { passkeysPlugin } from './ways-in/passkeys.ts';
import { providersPlugin } from './ways-in/providers.ts';

/** The only header from which better-auth reads the client's address. Always overwritten before a request gets there. */
export const ADDRESS_HEADER = 'x-atelier-client-address';

export type Auth = ReturnType<typeof createAuth>;

/** Creates the identity provider on the given database; only this feature's routes reach it. The one for passkeys has their plugin too. */
export function createAuth(deps: Deps, passkeyPlugins: ReturnType<typeof passkeysPlugin>[] = []) {
  const { config } = deps;
  const { db, currentTx } = exposeTransaction(deps.db);
  const openAdapter = drizzleAdapter(db, {
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
  });
  return betterAuth({
    database: (options: BetterAuthOptions) => withReadableFactors(deps, openAdapter(options)),
    // Older ones are ours alone: see `withReadableFactors` and `signAfresh`.
    secret: secretsOf(config)[0],
    baseURL: config.PUBLIC_URL === undefined ? 'http://localhost' : new URL(config.PUBLIC_URL).origin,
    basePath: '/api/auth',
    trustedOrigins: (request) => ownOrigin(config, request),
    telemetry: { enabled: false },
    // Pass unexpected errors to us; its router would print them with all their parameters.
    onAPIError: { throw: true, errorURL: '/login' },
    logger: { level: 'error', log: (_level, ...messages) => report(deps.log, messages) },
    emailAndPassword: {
      enabled: true,
      // Our own rules come first: they count characters and name what is missing.
      minPasswordLength: 1,
      maxPasswordLength: 4096,
      password: {
        hash: async (password) => preparedHash.getStore() ?? hashForNobody(deps, password),
        verify: async (attempt) => provenOwner.getStore() === true || verifyNoted(attempt),
      },
    },
    user: { additionalFields: OWN_FIELDS },
    account: PROVIDER_ACCOUNTS,
    session: sessionLife(config),
    rateLimit: rateLimits(deps),
    advanced: {
      ...hostCookies(config.PUBLIC_URL?.startsWith('https://') ?? false),
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => uuidv7() },
    },
    databaseHooks: hooksOf(deps, currentTx),
    plugins: [...pluginsOf(deps), ...passkeyPlugins],
  });
}

const hooksOf = (deps: Deps, currentTx: () => Tx | undefined) => ({
  user: userHooks(deps, currentTx),
  account: accountHooks(deps, currentTx),
  session: sessionHooks(deps, currentTx),
});

/** Over https no other host can set a cookie of ours. better-auth's own setting would put `__Secure-` before the names, with which others may. */
const hostCookies = (isSecure: boolean) => ({
  useSecureCookies: false,
  cookiePrefix: `${isSecure ? '__Host-' : ''}better-auth`,
  defaultCookieAttributes: { secure: isSecure },
});

/**
 * A sign-in with an unknown email is hashed too, so that its time doesn't tell. A known one costs one statement more, which is made up for
 * here: everything else that sets a password brings its own hash.
 */
async function hashForNobody(deps: Deps, password: string): Promise<string> {
  await passwordHash(deps, '');
  return hashPassword(password, deps.passwordCost);
}

/** Notes what the password of a sign-in was compared with: it may be replaced before the sign-in is stored. */
function verifyNoted(attempt: Parameters<typeof verifyPassword>[0]): Promise<boolean> {
  Object.assign(signInTrace.getStore() ?? {}, { passwordHash: attempt.hash });
  return verifyPassword(attempt);
}

function ownOrigin(config: Config, request?: Request): string[] {
  const origin = request?.headers.get('origin');
  return request && origin && isOwnOrigin(config, origin, request.url) ? [origin] : [];
}

/** Its own words; what it quotes has other signs too, such as those of an address. */
const OWN_WORDS = /^[\w ,.’'-]{1,120}$/u;

/** Its messages may contain an email; log only the safe part of an error, or of what a provider answered. */
function report(log: Deps['log'], messages: unknown[]): void {
  loggedFailures.getStore()?.push(...messages);
  const reason = messages.find((one) => typeof one === 'string' && OWN_WORDS.test(one));
  const fields = { provider: signInTrace.getStore()?.provider, reason };
  const failure = messages.find((one) => one instanceof Error) ?? messages.find(isRecord);
  if (failure === undefined) log.info('identity.failed', fields);
  else log.error('identity.failed', failure, fields);
}

/** The identity provider’s plugins: disabling accounts, the second factor, and other providers. */
const pluginsOf = (deps: Deps) => [
  admin({ bannedUserMessage: SENTENCES.accountDisabled }),
  withProviders(secondFactor({ issuer: PRODUCT_NAME, allowPasswordless: true })),
  providersPlugin(deps.config, (error) => deps.log.error('identity.provider', error)),
];

/** better-auth asks for the second factor only after a password; this asks for it after a provider's sign-in too. */
function withProviders<T extends ReturnType<typeof secondFactor>>(plugin: T): T {
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) => context.path === '/callback/:id' || hook.matcher(context),
  }));
  return { ...plugin, hooks: { ...plugin.hooks, after } };
}

/** How often the identity provider may be asked. */
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
      // Five wrong codes end a sign-in, ten close the second factor for a quarter of an hour; the rest asks for the password, see accounts.routes.
      '/two-factor/*': false as const,
      // Counted by our routes.
      '/sign-in/social': false as const,
      '/callback/*': false as const,
      '/passkey/*': false as const,
    },
    customStorage: { consume: (key: string, rule: { window: number; max: number }) => consumeAttempt(deps, key, rule) },
  };
}

/** Our fields on the user, which no client can set. */
const OWN_FIELDS = {
  phoneNumber: { type: 'string', required: false, input: false },
  lastSignInAt: { type: 'date', required: false, input: false },
  waitingFor: { type: 'string', required: false, input: false, returned: false },
} as const;

/** Accounts elsewhere. Only a signed-in person links them; a new sign-in with an email in use is refused with that reason. */
const PROVIDER_ACCOUNTS = {
  updateAccountOnSignIn: false,
  accountLinking: {
    disableImplicitLinking: true,
    // The email there may be another than here: the person is signed in at both.
    allowDifferentEmails: true,
    trustedProviders: signInProvider.options,
  },
};

const sessionLife = ({ SESSION_SECONDS, SESSION_FIXED }: Config) => ({
  expiresIn: SESSION_SECONDS,
  disableSessionRefresh: SESSION_FIXED,
  // Using a session prolongs it once a tenth of its life (at most a day) has passed.
  updateAge: Math.min(24 * 60 * 60, Math.floor(SESSION_SECONDS / 10)),
  // Whether a change needs a fresh proof is our decision, see `confirmOwner`.
  freshAge: 0,
  // A cached session would let a disabled account continue.
  cookieCache: { enabled: false },
});

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
