import type { MiddlewareHandler } from 'hono';
import { createBreather } from '../breather.ts';

/**
 * Requests begin one after another, in the order in which they came, and the event loop turns between them: two thousand that arrive
 * at once would otherwise all begin before anything else of the process goes on.
 */
export function beginInTurns(): MiddlewareHandler {
  const breathe = createBreather();
  let line = Promise.resolve();
  return async (_c, next) => {
    line = line.then(breathe);
    await line;
    await next();
  };
}
