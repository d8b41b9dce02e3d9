import type { PGlite } from '@electric-sql/pglite';
import { createBreather } from '../breather.ts';

// What PGlite keeps to itself and offers no other way to: all that we call or replace of it is here, and breaks the tests beside
// this file (or those of durable-node-fs.ts) when a new version of PGlite renames or bypasses it.

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

/** Runs like PGlite's own statements: neither within somebody's transaction nor between the messages of another statement. */
export const runAlone = <T>(pglite: PGlite, work: () => Promise<T>): Promise<T> =>
  pglite._runExclusiveTransaction(() => pglite._runExclusiveQuery(work));

/** Emscripten's exit status by which PostgreSQL jumps back to its main loop after an ordinary error. */
const LONGJMP = 100;

/** The two calls by which PGlite drives PostgreSQL. */
interface MainLoop {
  _PostgresMainLoopOnce(): void;
  stackRestore(pointer: number): void;
}

/**
 * PGlite swallows whatever the main loop throws and calls it again until the message is read. Where PostgreSQL has stopped (a
 * PANIC, for example because the disk has no room for its log), that never happens: the thread would spin for ever. Here the
 * statement that failed still has its answer, and every later one rejects at once.
 */
export function endWithPostgres(pglite: PGlite, onFailure: (error: unknown) => void): void {
  const loop = (pglite as unknown as { mod: MainLoop }).mod;
  const once = loop._PostgresMainLoopOnce;
  const refuse = () => {
    throw Object.assign(new Error('The embedded database has stopped.'), { code: '57P02' });
  };
  loop._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if (!(typeof error === 'object' && error !== null && 'status' in error && error.status === LONGJMP)) {
        // Called by PGlite where it swallows the error; only what is thrown from there leaves its loop.
        loop._PostgresMainLoopOnce = () => {
          loop.stackRestore = refuse;
          refuse();
        };
        onFailure(error);
      }
      throw error;
    }
  };
}
