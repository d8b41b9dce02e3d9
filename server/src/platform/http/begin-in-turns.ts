import type { MiddlewareHandler } from 'hono';
import { createTurns } from '../event-loop.ts';

/** Requests start one after another, in order of arrival, so that two thousand at once don't stop everything else in the process. */
export function beginInTurns(): MiddlewareHandler {
  const takeTurn = createTurns();
  return async (_c, next) => {
    await takeTurn();
    await next();
  };
}
