import { messages, type PGlite, protocol } from '@electric-sql/pglite';
import { runAlone } from './pglite-insides.ts';

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
export function createStatements(pglite: PGlite) {
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

export type Statements = ReturnType<typeof createStatements>;
