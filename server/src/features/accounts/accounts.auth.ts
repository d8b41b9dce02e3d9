import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../config.ts';
import type { Deps } from '../../platform/deps.ts';
import { isOwnOrigin } from '../../platform/http/origin.ts';
import { isRecord } from '../../platform/parsed-json.ts';
import { hashPassword, verifyPassword } from '../../platform/password.ts';
import { secretsOf } from '../../platform/secrets.ts';
import { authAccount, authSession, rateLimit, twoFactor, verification } from './accounts.identity.table.ts';
import { passkeys } from './accounts.passkeys.table.ts';
import { passwordHash } from './accounts.service.ts';
import { user } from './accounts.table.ts';
import { accountHooks, sessionHooks } from './auth/auth-hooks.ts';
import { rateLimits } from './auth/auth-limits.ts';
import { pluginsOf } from './auth/auth-plugins.ts';
import { OWN_FIELDS, PROVIDER_ACCOUNTS, sessionLife } from './auth/auth-settings.ts';
import { loggedFailures, preparedHash, provenOwner, signInTrace } from './auth/call-notes.ts';
import { exposeTransaction } from './auth/open-transaction.ts';
import { withReadableFactors } from './auth/readable-factors.service.ts';
import type { passkeysPlugin } from './ways-in/passkeys.ts';

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
    logger: { level: 'error', log: (_level, ...said) => report(deps.log, said) },
    emailAndPassword: {
      enabled: true,
      // Our own rules come first: they count characters and name what is missing.
      minPasswordLength: 1,
      maxPasswordLength: 4096,
      password: {
        hash: async (password) => preparedHash.getStore() ?? hashForNobody(deps, password),
        verify: async (given) => provenOwner.getStore() === true || verifyNoted(given),
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
    databaseHooks: { account: accountHooks(deps, currentTx), session: sessionHooks(deps) },
    plugins: [...pluginsOf(deps), ...passkeyPlugins],
  });
}

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
function verifyNoted(given: Parameters<typeof verifyPassword>[0]): Promise<boolean> {
  Object.assign(signInTrace.getStore() ?? {}, { passwordHash: given.hash });
  return verifyPassword(given);
}

function ownOrigin(config: Config, request?: Request): string[] {
  const origin = request?.headers.get('origin');
  return request && origin && isOwnOrigin(config, origin, request.url) ? [origin] : [];
}

/** Its own words; what it quotes has other signs too, such as those of an address. */
const OWN_WORDS = /^[\w ,.’'-]{1,120}$/u;

/** Its messages may contain an email; log only the safe part of an error, or of what a provider answered. */
function report(log: Deps['log'], said: unknown[]): void {
  loggedFailures.getStore()?.push(...said);
  const reason = said.find((one) => typeof one === 'string' && OWN_WORDS.test(one));
  const fields = { provider: signInTrace.getStore()?.provider, reason };
  const failure = said.find((one) => one instanceof Error) ?? said.find(isRecord);
  if (failure === undefined) log.info('identity.failed', fields);
  else log.error('identity.failed', failure, fields);
}
