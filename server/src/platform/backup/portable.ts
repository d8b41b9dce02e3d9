import { pipeline } from 'node:stream/promises';
import type { PGlite } from '@electric-sql/pglite';
import pLimit from 'p-limit';
import type pg from 'pg';
import { type Queries, tableNames } from '../database/migrate.ts';
import { UnusableBackup } from './archive.ts';

export type Rows = AsyncIterable<Uint8Array>;

/** A table and some of its columns; where a value is withheld, null stands in its place. */
export interface TableColumns {
  name: string;
  columns: string[];
}

/** One connection to a database that reads and writes whole tables, as COPY writes them. */
export interface Portable extends Queries {
  readonly kind: 'pglite' | 'postgres';
  copyOut(table: TableColumns, withheld?: readonly string[]): Rows;
  copyIn(table: TableColumns, rows: Rows): Promise<void>;
  close(): Promise<void>;
}

/** The same value has the same text on every database. */
export const SAME_TEXT = `set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`;

const quoted = (name: string) => `"${name}"`;
const listed = (columns: string[]) => columns.map(quoted).join(', ');
const selected = ({ name, columns }: TableColumns, withheld: readonly string[]) =>
  `select ${columns.map((column) => (withheld.includes(column) ? 'null' : quoted(column))).join(', ')} from ${quoted(name)}`;
const target = ({ name, columns }: TableColumns) => `copy ${quoted(name)} (${listed(columns)}) from`;

/** The tables of the product, in its version of the schema, with their columns, without those that the database generates. */
export async function tablesOf(database: Queries): Promise<TableColumns[]> {
  const { rows } = await database.executeSql(
    `select c.relname as name, json_agg(a.attname order by a.attname) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname = any($1) group by 1 order by 1`,
    [tableNames()],
  );
  return rows.map(({ name, columns }) => ({ name: String(name), columns: columns as string[] }));
}

export function portablePostgres(client: pg.Client): Portable {
  // pg-boss asks several things at once.
  const oneAtATime = pLimit(1);
  return {
    kind: 'postgres',
    executeSql: async (text, values) => {
      // Several statements return one result each.
      const results: pg.QueryResult | pg.QueryResult[] = await oneAtATime(() => client.query(text, values));
      return { rows: Array.isArray(results) ? results.flatMap(({ rows }) => rows) : results.rows };
    },
    async *copyOut(table, withheld = []) {
      const { to } = await import('pg-copy-streams');
      yield* client.query(to(`copy (${selected(table, withheld)}) to stdout`));
    },
    async copyIn(table, rows) {
      const { from } = await import('pg-copy-streams');
      await pipeline(rows, client.query(from(`${target(table)} stdin`)));
    },
    close: () => client.end(),
  };
}

/** The embedded database takes and gives a portion of a table as one value: so much of it, as its rows are larger or smaller. */
const PORTION_BYTES = 4 * 1024 * 1024;
/** A checkpoint after so much, because nothing else frees the log. */
const LOG_BYTES = 64 * 1024 * 1024;
/** No row of ours is larger. */
const ROW_BYTES = 512 * 1024 * 1024;

export function portablePglite(pglite: PGlite): Portable {
  const executeSql: Portable['executeSql'] = async (text, values) => {
    if (values !== undefined && values.length > 0) return pglite.query<Record<string, unknown>>(text, values);
    return { rows: (await pglite.exec(text)).flatMap(({ rows }) => rows as Record<string, unknown>[]) };
  };
  let written = 0;
  return {
    kind: 'pglite',
    executeSql,
    async *copyOut(table, withheld = []) {
      await pglite.exec('set enable_seqscan = off; set synchronize_seqscans = off');
      let [last, size] = ['(0,0)', 10];
      for (;;) {
        const portion = `from (select ctid from ${quoted(table.name)} where ctid > '${last}' limit ${size}) portion`;
        const { rows } = await pglite.query<{ last: string | null; rows: number }>(
          `select max(ctid)::text as last, count(*)::int as rows ${portion}`,
        );
        const [row] = rows;
        if (row === undefined || row.last === null) return;
        const part = `${selected(table, withheld)} where ctid > '${last}' and ctid <= '${row.last}'`;
        const { blob } = await pglite.query(`copy (${part}) to '/dev/blob'`);
        const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? []);
        yield bytes;
        last = row.last;
        size = Math.max(1, Math.min(size * 4, Math.floor((PORTION_BYTES * row.rows) / Math.max(1, bytes.length))));
      }
    },
    async copyIn(table, rows) {
      for await (const portion of wholeRows(rows)) {
        await pglite.query(`${target(table)} '/dev/blob'`, [], { blob: new Blob([portion]) });
        written += portion.length;
        if (written > LOG_BYTES) await pglite.exec('checkpoint');
        if (written > LOG_BYTES) written = 0;
      }
    },
    close: async () => void (pglite.closed || (await pglite.close())),
  };
}

/** The rows in portions that end where a row ends. */
async function* wholeRows(rows: Rows): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of rows) {
    pieces.push(piece);
    size += piece.length;
    const end = piece.lastIndexOf(0x0a) + 1;
    if (size > ROW_BYTES)
      throw new UnusableBackup('This backup has a row that is larger than any that this program writes.');
    if (end === 0 || size < PORTION_BYTES) continue;
    const rest = piece.subarray(end);
    pieces[pieces.length - 1] = piece.subarray(0, end);
    yield Buffer.concat(pieces);
    [pieces, size] = [[rest], rest.length];
  }
  if (size > 0) yield Buffer.concat(pieces);
}
