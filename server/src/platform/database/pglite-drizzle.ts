import { messages, type PGlite, protocol } from '@electric-sql/pglite';
import { PgDatabase, PgDialect } from 'drizzle-orm/pg-core';
import { PgliteSession } from 'drizzle-orm/pglite';
import type { Db } from './database.ts';
import { runAlone } from './pglite-insides.ts';

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

const { serialize } = protocol;

interface Statement {
  name: string;
  /** The types of its parameters, by number. */
  types: number[];
  columns: { name: string; dataTypeID: number }[];
}

/**
 * Statements that an embedded database parses and plans once, as PostgreSQL's driver does for named ones. PGlite does both each time, which
 * takes as long as a short statement, and sends six messages where one is enough.
 */
function createStatements(pglite: PGlite) {
  const named = new Set<string>();
  const prepared = new Map<string, Statement>();
  let count = 0;

  /** Ends with a sync; without it, an error would leave the connection waiting for one. */
  const send = (...parts: Uint8Array[]) =>
    pglite.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false });

  async function prepare(text: string): Promise<Statement> {
    count += 1;
    const statement: Statement = { name: `statement_${count}`, types: [], columns: [] };
    const { name } = statement;
    for (const answer of await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))) {
      if (answer instanceof messages.ParameterDescriptionMessage) statement.types = answer.dataTypeIDs;
      if (answer instanceof messages.RowDescriptionMessage) statement.columns = answer.fields;
    }
    prepared.set(text, statement);
    return statement;
  }

  async function ask(text: string, values: unknown[]) {
    const { name, types, columns } = prepared.get(text) ?? (await prepare(text));
    const written = values.map((value, at) => {
      if (value === null || value === undefined) return null;
      return pglite.serializers[types[at] ?? 0]?.(value) ?? String(value);
    });
    const answers = await send(serialize.bind({ statement: name, values: written }), serialize.execute({}));
    const rows = answers.flatMap((answer) =>
      answer instanceof messages.DataRowMessage ? [read(answer.fields, columns)] : [],
    );
    return { rows, fields: columns };
  }

  function read(fields: (string | null)[], columns: Statement['columns']): unknown[] {
    return fields.map((value, at) => {
      const type = columns[at]?.dataTypeID ?? 0;
      return value === null ? null : (pglite.parsers[type]?.(value, type) ?? value);
    });
  }

  return {
    /** From now on, prepares statements with this text. */
    name: (text: string) => void named.add(text),
    has: (text: string) => named.has(text),
    /** The rows of a read-only statement, as lists of values; rejects like PGlite's `query`. */
    async run(text: string, values: unknown[]) {
      if (pglite.closed) throw new Error('the database is closed');
      return runAlone(pglite, () => ask(text, values));
    },
  };
}

type Statements = ReturnType<typeof createStatements>;
