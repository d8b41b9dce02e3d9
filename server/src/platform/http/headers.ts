import type { MiddlewareHandler } from 'hono';

/**
 * Browsers must not store API answers. Otherwise going back in the history shows stored answers: forgotten memories, or data of the
 * previous account.
 */
export const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};
