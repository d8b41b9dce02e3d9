import { sql } from 'drizzle-orm';
import { customType, index, timestamp } from 'drizzle-orm/pg-core';

/** An instant with milliseconds and zone: the type of every time column. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** In place of when a row was deleted: it is being removed and can't come back. */
export const LEAVING = new Date(0);

/** Bytes, packed by us. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * The index of a table's generated column `words` (text-search.ts). It has no pending list: every search would read all of it, and some
 * unlucky write would have to index all of it.
 */
export const wordsIndex = (name: string) => index(name).using('gin', sql`words`).with({ fastupdate: false });
