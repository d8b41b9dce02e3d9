import type { MiddlewareHandler } from 'hono';
import { createLoopYield } from '../event-loop.ts';

/**
 * Requests start one after another, in order of arrival, and the event loop turns in between. Otherwise two thousand simultaneous requests
 * would all start before anything else in the process continues.
 */
export function beginInTurns(): MiddlewareHandler {
  const breathe = createLoopYield();
  let line = Promise.resolve();
  return async (_c, next) => {
    line = line.then(breathe);
    await line;
    await next();
  };
}
