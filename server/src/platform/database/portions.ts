import { setTimeout } from 'node:timers/promises';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from './database.ts';

/** How long one portion may take: on the embedded database everyone waits for it, for each of their statements. */
const PORTION_MS = 8;
const FIRST = 8;
const MOST = 1_000;

/**
 * Does large work in portions, each a transaction of its own: `portion` does up to `size` rows and returns how many it found, 0 once none
 * is left. Sizes follow from how long the last portion took, and others get as much time as it took.
 */
export async function inPortions(portion: (size: number) => Promise<number>): Promise<void> {
  let size = FIRST;
  for (;;) {
    const begun = performance.now();
    if ((await portion(size)) === 0) return;
    const took = performance.now() - begun;
    size = took < PORTION_MS ? Math.min(size * 2, MOST) : Math.max(Math.floor(size / 2), 1);
    await setTimeout(took);
  }
}

/** The rows of a table that match, at most so many, as a condition for a statement that changes them. */
export const someOf = (table: SQLWrapper, where: SQL | undefined, size: number): SQL =>
  sql`ctid = any(array(select ctid from ${table} where ${where} limit ${size}))`;

const deleted = z.object({ rows: z.array(z.unknown()) });

/** Deletes the rows that match, in portions. Delete what hangs on them before: a cascade knows no portions. */
export const deleteInPortions = (db: Db, table: SQLWrapper, where: SQL | undefined): Promise<void> =>
  inPortions(async (size) => {
    const result = await db.execute(sql`delete from ${table} where ${someOf(table, where, size)} returning 1`);
    return deleted.parse(result).rows.length;
  });
