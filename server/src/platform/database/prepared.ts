import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './database.ts';

/**
 * A statement that is built once for each database: building its text takes as long as running it. `build` ends with `.prepare(name)`, so
 * the database parses it once for each connection too.
 */
export function prepareOnce<T>(build: (db: Db) => T): (db: Db) => T {
  const built = new WeakMap<Db, T>();
  return (db) => {
    const statement = built.get(db) ?? build(db);
    built.set(db, statement);
    return statement;
  };
}

/** The columns of a whole row that a function returns as one value, for a selection. */
export function columnsOf<T extends PgTable>(table: T, row: SQL) {
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => [
    key,
    sql`(${row}).${sql.identifier(column.name)}`.mapWith(column),
  ]);
  return Object.fromEntries(columns) as { [K in keyof T['$inferSelect']]: SQL<T['$inferSelect'][K]> };
}

/** An instant in milliseconds since 1970, for rows that the database packs. */
export const milliseconds = (column: SQLWrapper) => sql`floor(extract(epoch from ${column}) * 1000)`;

/** A list as PostgreSQL writes it, for a placeholder; its values contain no comma, quote or brace (ids, for example). */
export const listOf = (values: Iterable<string>): string => `{${[...values].join(',')}}`;
