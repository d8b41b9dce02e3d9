import type { MiddlewareHandler } from 'hono';

/** The policy of whatever is no page: opened in a tab, it loads and runs nothing, and nobody frames it. */
export const LOADS_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The same for what a person, a model or a tool may have written: it has no origin either. */
export const FOREIGN_CONTENT = `${LOADS_NOTHING}; sandbox`;

/** Browsers must not store API answers: going back would show forgotten memories, or data of the previous account. */
export const forPrograms: MiddlewareHandler = async (c, next) => {
  await next();
  const isStream = c.res.headers.get('content-type')?.startsWith('text/event-stream') === true;
  c.header('Cache-Control', isStream ? 'no-store, no-transform' : 'no-store');
  // nginx and the proxies that follow it gather an answer until it is long enough, unless it says otherwise.
  if (isStream) c.header('X-Accel-Buffering', 'no');
};

/** GET's route answers HEAD too, but nobody reads the body: end it here, with everything it holds open. */
export const endUnread: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
};

/** A `content-disposition` that saves a file under its own name, of any characters. */
export function asDownload(name: string): string {
  const plain = name.replaceAll(/[^\w.\- ]+/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
