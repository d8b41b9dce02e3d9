import { and, like, notLike, or } from 'drizzle-orm';
import { rateLimit } from '../features/accounts/accounts.identity.table.ts';
import { silentLog } from '../platform/log.ts';
import { emptyApp, PASSWORD } from './harness.ts';

/** The header by which a trusted proxy names the client. */
export const from = (address: string) => ({ 'x-forwarded-for': address });

/** The lock of an account for all addresses. */
export const everywhere = and(like(rateLimit.key, 'lock|%'), notLike(rateLimit.key, 'lock|%|%'));

/** Ways in from chosen addresses, with so many tries for each. Before each test it is empty. */
export async function signInsByAddress(tries = 15, log = silentLog) {
  // The test's requests have no socket and count as 127.0.0.1: a trusted proxy here, which names the client.
  const app = await emptyApp({ env: { TRUSTED_PROXIES: '127.0.0.1', AUTH_RATE_MAX: String(tries) }, log });
  return {
    app,
    signIn: (email: string, password: string, address: string, cookie = '') =>
      app.request('POST', '/api/auth/sign-in/email', {
        body: { email, password },
        headers: { ...from(address), ...(cookie && { cookie }) },
      }),
    signUp: (email: string, address: string) =>
      app.request('POST', '/api/auth/sign-up/email', {
        body: { name: 'Ada', email, password: PASSWORD },
        headers: from(address),
      }),
    /** Drops the counts of addresses; locks of accounts stay. */
    forgetRates: () =>
      app.deps.db.delete(rateLimit).where(or(like(rateLimit.key, '%/%'), like(rateLimit.key, 'lock-address|%'))),
  };
}
