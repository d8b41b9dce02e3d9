import type { MiddlewareHandler } from 'hono';

/** An answer of the API is no page: opened in a tab, it loads and runs nothing, and nobody frames it. */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Browsers must not store API answers, nor take them for pages. Otherwise going back in the history shows stored answers: forgotten memories, or
 * data of the previous account.
 */
export const forPrograms: MiddlewareHandler = async (c, next) => {
  await next();
  const isStream = c.res.headers.get('content-type')?.startsWith('text/event-stream') === true;
  c.header('Cache-Control', isStream ? 'no-store, no-transform' : 'no-store');
  // nginx and the proxies that follow it gather an answer until it is long enough, unless it says otherwise.
  if (isStream) c.header('X-Accel-Buffering', 'no');
  if (!c.res.headers.has('Content-Security-Policy')) c.header('Content-Security-Policy', NOTHING);
};
