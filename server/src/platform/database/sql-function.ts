import {
  type BuildColumn,
  type GetColumnData,
  getTableColumns,
  is,
  isSQLWrapper,
  Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { type PgColumn, type PgColumnBuilderBase, PgTable, pgTable } from 'drizzle-orm/pg-core';
import { columnsOf } from './prepared.ts';

type Values = Record<string, PgColumnBuilderBase>;
/** A row that a function returns; a table stands for one of its rows in a single value. */
type Row = Record<string, PgColumnBuilderBase | PgTable>;
type DataOf<V> = V extends PgColumnBuilderBase ? GetColumnData<BuildColumn<string, V, 'pg'>> : unknown;
type SelectionOf<R> = {
  [K in keyof R]: R[K] extends PgTable ? ReturnType<typeof columnsOf<R[K]>> : SQL<DataOf<R[K]>>;
};

/** The arguments of a declared function. */
export type ArgumentsOf<F extends { parameters: Values }> = {
  [K in keyof F['parameters']]: DataOf<F['parameters'][K]>;
};

/** Every declared function, for the test that compares them with the database's catalogue. */
export const declared: { name: string; parameters: Values; returns: PgColumnBuilderBase | Row }[] = [];

/** Columns from what declares them, as a table has them. */
export const toColumns = (values: Values): Record<string, PgColumn> => getTableColumns(pgTable('', values));

/**
 * Declares a function of the database: its parameters, each with its name there, and the value or the row that it returns. A call names its
 * arguments, so the database refuses one that it doesn't know as soon as it parses the statement.
 */
export function sqlFunction<P extends Values, R extends PgColumnBuilderBase | Row>(
  name: string,
  parameters: P,
  returns: R,
) {
  declared.push({ name, parameters, returns });
  const columns = Object.entries(toColumns(parameters));
  const callWith = (valueOf: (key: string) => unknown) => {
    const named = columns.map(([key, column]) => sql`${sql.raw(column.name)} => ${argument(column, valueOf(key))}`);
    return sql<DataOf<R>>`${sql.raw(name)}(${sql.join(named, sql`, `)})`;
  };
  return {
    parameters,
    call: (values: { [K in keyof P]: SQLWrapper | DataOf<P[K]> }) => callWith((key) => values[key]),
    /** The call with a placeholder for each argument. */
    prepared: () => callWith((key) => sql.placeholder(key)),
    /** What to select of its rows, by their alias. */
    rowOf: (alias: string) =>
      Object.fromEntries(
        Object.entries(returns).map(([key, of]: [string, Row[string]]) => {
          const value = sql`${sql.raw(alias)}.${sql.identifier(key)}`;
          if (is(of, PgTable)) return [key, columnsOf(of, value)];
          const [column] = Object.values(toColumns({ [key]: of }));
          return [key, column === undefined ? value : value.mapWith(column)];
        }),
      ) as SelectionOf<R>,
  };
}

/** SQL as it is; any other value as a column of its type stores it. */
function argument(column: PgColumn, value: unknown): unknown {
  if (isSQLWrapper(value) && !is(value, Placeholder)) return value;
  // A column makes JSON's own null of the null that a placeholder is given.
  return sql.param(value, {
    mapToDriverValue: (argument) => (argument === null ? null : column.mapToDriverValue(argument)),
  });
}
