import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** A place in a list sorted by a value, latest or greatest first, then by id. */
export interface ListPosition {
  at: Date | number;
  id: string;
}

/**
 * The rows after a place in such a list; all rows without a place. Compares one row value, because then an index can begin at the place:
 * with `at < x or (at = x and id < y)` every page reads all pages before it.
 */
export const behind = (at: PgColumn, id: PgColumn, place: ListPosition | undefined): SQL | undefined =>
  place && sql`(${at}, ${id}) < (${sql.param(place.at, at)}, ${sql.param(place.id, id)})`;
