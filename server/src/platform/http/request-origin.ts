import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { createRates } from '../bounds.ts';
import { type ClientAddress, siteOf } from '../client-address.ts';

/** The request that is being answered, and where it comes from. */
interface RequestOrigin {
  /** Our own, never the sender's: it stands in the log. */
  id: string;
  address: string;
  userAgent: string;
  /** The caller’s sign-in or API key, once it is known. */
  caller?: { uid: string; signInId: string | undefined; keyId: string | undefined };
  /** Whether an attempt by anybody is worth a note: the first of its kind from a customer of a provider, and as many a minute. */
  isWorthNoting(kind: string): boolean;
}

/** Beside services, because what happens to an account is noted deep inside of them. Undefined outside of requests. */
export const requestOrigin = new AsyncLocalStorage<RequestOrigin>();

const ATTEMPTS = { burst: 60, perMinute: 60 };

/** Makes the origin known while a request is answered, and tells the sender the request's id. */
export function knowsOrigin(addressOf: ClientAddress, rates = createRates()): MiddlewareHandler {
  return async (c, next) => {
    const id = randomUUID();
    const address = addressOf(c);
    const isWorthNoting = (kind: string) => rates.take(`${kind}|${siteOf(address)}`, ATTEMPTS) === 0;
    const origin = { id, address, userAgent: c.req.header('user-agent') ?? '', isWorthNoting };
    await requestOrigin.run(origin, next);
    c.header('X-Request-Id', id);
  };
}
