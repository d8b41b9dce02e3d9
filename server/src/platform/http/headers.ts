import type { MiddlewareHandler } from 'hono';

/**
 * No answer of the API is kept by a browser. Without a word about it the way back through the history takes kept answers for good:
 * it would show what was forgotten meanwhile, or what belongs to the account before.
 */
export const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};
