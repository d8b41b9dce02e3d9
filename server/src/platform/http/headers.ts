import type { MiddlewareHandler } from 'hono';

/** An answer of the API is no page: opened in a tab, it loads and runs nothing, and nobody frames it. */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Browsers must not store API answers, nor take them for pages. Otherwise going back in the history shows stored answers: forgotten memories, or
 * data of the previous account.
 */
export const forPrograms: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
  if (!c.res.headers.has('Content-Security-Policy')) c.header('Content-Security-Policy', NOTHING);
};
