import { setImmediate } from 'node:timers/promises';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db, Tx } from './database.ts';

/** How many rows one portion has: on the embedded database everyone waits for it. */
export const ROWS = 100;
/** The same where a row may hold some megabytes. */
export const WIDE_ROWS = 10;

/**
 * Does large work in portions, each a transaction of its own: `portion` does up to `size` rows and returns how many it did, 0 once none is left.
 */
export async function inPortions(
  db: Db,
  portion: (tx: Tx, size: number) => Promise<number>,
  size: number = ROWS,
): Promise<void> {
  // The embedded database never yields the thread by itself.
  while ((await db.transaction((tx) => portion(tx, size))) > 0) await setImmediate();
}

/** The rows of a table that match, at most so many, as a condition for a statement that changes them. */
export const someOf = (table: SQLWrapper, where: SQL | undefined, size: number): SQL =>
  sql`ctid = any(array(select ctid from ${table} where ${where} limit ${size}))`;

const otherScans = (state: 'on' | 'off') =>
  sql`select set_config('enable_bitmapscan', ${state}, true), set_config('enable_seqscan', ${state}, true)`;

/** For a statement that reads the first rows of an index: without statistics a planner would rather collect all that match, or read the table. */
export async function readingFirst<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.execute(otherScans('off'));
  const result = await work();
  await tx.execute(otherScans('on'));
  return result;
}

const deleted = z.object({ rows: z.array(z.unknown()) });

/** Deletes the rows that match, in portions. Delete what hangs on them before: a cascade knows no portions. */
export const deleteInPortions = (db: Db, table: SQLWrapper, where: SQL | undefined, rows?: number): Promise<void> =>
  inPortions(
    db,
    async (tx, size) => {
      const statement = sql`delete from ${table} where ${someOf(table, where, size)} returning 1`;
      return deleted.parse(await readingFirst(tx, () => tx.execute(statement))).rows.length;
    },
    rows,
  );
