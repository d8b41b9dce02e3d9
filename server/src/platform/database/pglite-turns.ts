import { setImmediate } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';

/** How long statements may follow each other before everything else of the process has a turn. */
const TURN_MS = 10;

/**
 * Lets the event loop turn between statements. PGlite works on the main thread, and the next statement in its queue begins as soon as
 * one ends: two thousand requests at once would be answered before a single byte of another connection is read.
 */
export function giveTurns(pglite: PGlite): void {
  const exclusively = pglite._runExclusiveQuery.bind(pglite);
  let lastTurn = performance.now();
  pglite._runExclusiveQuery = (work) =>
    exclusively(async () => {
      if (performance.now() - lastTurn > TURN_MS) {
        await setImmediate();
        lastTurn = performance.now();
      }
      return work();
    });
}
