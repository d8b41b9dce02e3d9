import type { PGlite } from '@electric-sql/pglite';
import { PgDatabase, PgDialect } from 'drizzle-orm/pg-core';
import { PgliteSession } from 'drizzle-orm/pglite';
import type { Db } from './database.ts';
import { createStatements, type Statements } from './pglite-statements.ts';

interface Options {
  rowMode?: 'array' | 'object';
  parsers?: unknown;
}
type Query = (text: string, values: unknown[], options?: Options) => unknown;
interface Client {
  query: Query;
  transaction?: (work: (tx: Client) => unknown) => unknown;
}

class PlainSession extends PgliteSession<Record<string, never>, Record<string, never>> {}

/** Drizzle on an embedded database. A query prepared by name is prepared in the database too, except inside transactions. */
export function openDrizzle(pglite: PGlite): Db {
  const statements = createStatements(pglite);
  class Session extends PlainSession {
    // Drizzle drops the name on its way to PGlite.
    override prepareQuery: PlainSession['prepareQuery'] = (query, fields, name, ...rest) => {
      if (name) statements.name(query.sql);
      return super.prepareQuery(query, fields, name, ...rest);
    };
  }
  const dialect = new PgDialect();
  return new PgDatabase(dialect, new Session(forDrizzle(pglite, statements), dialect, undefined), undefined);
}

/** The client for Drizzle: its parsers are registered already (pglite-parsers.ts), and merging them each time would take 0.1 ms. */
function forDrizzle<T extends object>(client: T, statements?: Statements): T {
  return new Proxy(client, {
    get(target, property) {
      const real = target as T & Client;
      if (property === 'query') {
        const query: Query = (text, values, { rowMode = 'object' } = {}) =>
          rowMode === 'array' && statements?.has(text)
            ? statements.run(text, values)
            : real.query(text, values, { rowMode });
        return query;
      }
      if (property === 'transaction') {
        return (work: (tx: Client) => unknown) => real.transaction?.((tx) => work(forDrizzle(tx)));
      }
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
