import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import type { Config } from '../../config.ts';
import { createRates, type Rate } from '../bounds.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';

/**
 * Whether a page of this origin is ours. With PUBLIC_URL: only that origin. Without it: the address of the request itself, if it is
 * `localhost` or an IP literal; a name could be pointed at us by anyone (DNS rebinding).
 */
export function isOwnOrigin(config: Pick<Config, 'PUBLIC_URL'>, origin: string, requestUrl: string): boolean {
  if (config.PUBLIC_URL !== undefined) return origin === new URL(config.PUBLIC_URL).origin;
  const here = URL.parse(requestUrl);
  const there = URL.parse(origin);
  if (here === null || there === null || here.host !== there.host) return false;
  const name = here.hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' || isIP(name) !== 0;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const REFUSED = 'This request did not come from a page of this server.';
/** Anybody can have a page of theirs ask, as often as they like. */
const LINES: Rate = { burst: 5, perMinute: 1 };

type Ctx = Pick<Deps, 'config' | 'log'>;

/** Refuses a request from a page of elsewhere, and tells the operator where that may be their own page behind a proxy. */
function createRefusal({ config, log }: Ctx): () => AppError {
  const rates = createRates();
  return () => {
    if (config.PUBLIC_URL !== undefined) return new AppError('forbidden', REFUSED);
    const reason =
      'somebody’s sign-up, sign-in or change was refused, because the page is not at the address that the request was sent to. If it is your page, set PUBLIC_URL to the address people use, and restart';
    if (rates.take('', LINES) === 0) log.info('http.origin_refused', { reason });
    return new AppError(
      'forbidden',
      `${REFUSED} If it did, its operator has to set PUBLIC_URL to this page’s address.`,
    );
  };
}

/** Refuses the requests that `concerns` picks unless they come from our own pages. */
function guard(ctx: Ctx, concerns: (c: Context, origin: string | undefined) => boolean): MiddlewareHandler {
  const refusal = createRefusal(ctx);
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (concerns(c, origin) && (origin === undefined || !isOwnOrigin(ctx.config, origin, c.req.url))) throw refusal();
    await next();
  };
}

/** A state-changing request with our cookie must come from our own pages; without a cookie there is nothing to forge. */
export const requireOwnOrigin = (ctx: Ctx): MiddlewareHandler =>
  guard(ctx, (c) => !SAFE.has(c.req.method) && c.req.header('cookie') !== undefined);

/** The same for calls before there is a cookie: a foreign page must not sign the visitor in as somebody else. Programs, which send no origin, may. */
export const refuseForeignOrigin = (ctx: Ctx): MiddlewareHandler =>
  guard(ctx, (c, origin) => c.req.method !== 'GET' && origin !== undefined);
