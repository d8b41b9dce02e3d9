import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { Config } from '../../config.ts';
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

/** A state-changing request with our cookie must come from our own pages; without a cookie there is nothing to forge. */
export function requireOwnOrigin(config: Config): MiddlewareHandler {
  return async (c, next) => {
    if (!SAFE.has(c.req.method) && c.req.header('cookie') !== undefined) {
      const origin = c.req.header('origin');
      if (origin === undefined || !isOwnOrigin(config, origin, c.req.url)) {
        throw new AppError('forbidden', 'This request did not come from a page of this server.');
      }
    }
    await next();
  };
}
