import { type SQL, sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

/** An instant with milliseconds and zone: what every time column is. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** The words of a text as PostgreSQL's full-text search sees them. A vector holds at most 1 MB, so of a huge text the beginning counts. */
export const searchable = (text: SQL): SQL => sql`to_tsvector('english'::regconfig, left(${text}, 100000))`;

/** Bytes, packed by us. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
