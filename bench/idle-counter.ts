// Loaded into the measured server before its own code: counts database statements, and answers each message with what was used so far.
import { isMainThread } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

export interface Used {
  /** Processor time of all threads since the start, in milliseconds. */
  cpuMs: number;
  statements: number;
}

let statements = 0;

/** Counts the calls of one method of a class. */
function count<K extends string>(prototype: Record<K, (...args: never[]) => unknown>, method: K): void {
  const real: (...args: never[]) => unknown = prototype[method];
  prototype[method] = function counted(this: unknown, ...args: never[]) {
    statements += 1;
    return real.apply(this, args);
  };
}

if (isMainThread) {
  count(PGlite.prototype as unknown as Record<'_runExclusiveQuery', () => unknown>, '_runExclusiveQuery');
  count(pg.Client.prototype as unknown as Record<'query', () => unknown>, 'query');
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const used: Used = { cpuMs: (user + system) / 1000, statements };
    process.send?.(used);
  });
  // Listening must not keep the process alive.
  process.channel?.unref();
}
