import type { MiddlewareHandler } from 'hono';

/** HEAD is answered by the route of GET, whose body nobody takes: it ends here, with all that it holds open. */
export const endUnread: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
};
