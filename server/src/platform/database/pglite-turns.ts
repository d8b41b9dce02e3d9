import type { PGlite } from '@electric-sql/pglite';
import { createBreather } from '../breather.ts';

/**
 * Lets the event loop turn between statements. PGlite works on the main thread, and the next statement in its queue begins as soon as
 * one ends: two thousand requests at once would be answered before a single byte of another connection is read.
 */
export function giveTurns(pglite: PGlite): void {
  const exclusively = pglite._runExclusiveQuery.bind(pglite);
  const breathe = createBreather();
  pglite._runExclusiveQuery = (work) =>
    exclusively(async () => {
      await breathe();
      return work();
    });
}
