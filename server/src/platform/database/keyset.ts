import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** A place in a list that is sorted by a value, latest or greatest first, and where equal by id. */
export interface Place {
  at: Date | number;
  id: string;
}

/**
 * What comes after a place in such a list; everything where there is no place. Compared as one row, because an index can begin
 * at the place then: with `at < x or (at = x and id < y)` every page reads all pages before it.
 */
export const behind = (at: PgColumn, id: PgColumn, place: Place | undefined): SQL | undefined =>
  place && sql`(${at}, ${id}) < (${sql.param(place.at, at)}, ${sql.param(place.id, id)})`;
