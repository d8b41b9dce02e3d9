import type { MiddlewareHandler } from 'hono';

/** GET's route answers HEAD too, but nobody reads the body: end it here, with everything it holds open. */
export const endUnread: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
};
