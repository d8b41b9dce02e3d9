import { setImmediate } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';

/** How long work may run before everything else in the process gets a turn. */
const TURN_MS = 10;

/** For one piece of work in many steps: waits for the event loop to turn when the steps have blocked it for long. */
export function createLoopYield(): () => Promise<void> {
  let lastTurn = performance.now();
  return async () => {
    if (performance.now() - lastTurn <= TURN_MS) return;
    await setImmediate();
    lastTurn = performance.now();
  };
}

/**
 * For many pieces of work that come at once: each goes on after those before it, and the event loop turns in between when they have blocked
 * it for long. Otherwise all of them would take their next step before any connection is read.
 */
export function createTurns(): () => Promise<void> {
  const breathe = createLoopYield();
  let line = Promise.resolve();
  return () => {
    line = line.then(breathe);
    return line;
  };
}

/** The turns of answers. Requests have their own, so that a flood of them doesn't stop an answer. */
export const takeTurn = createTurns();

/** Requests start one after another, in order of arrival, so that two thousand at once don't stop everything else in the process. */
export function beginInTurns(): MiddlewareHandler {
  const takeTurn = createTurns();
  return async (_c, next) => {
    await takeTurn();
    await next();
  };
}
