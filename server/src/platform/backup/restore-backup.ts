import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { PgDialect } from 'drizzle-orm/pg-core';
import { bringUp } from '../database/migrate.ts';
import { type JobRow, sendStatement } from '../jobs/job-statements.ts';
import { makeJobStore } from '../jobs/jobs.pg-boss.ts';
import { logged } from '../logged-error.ts';
import type { FileStorage } from '../storage/storage.ts';
import { damaged, type Open } from './archive.ts';
import { type Header, sumRows, type TableSum } from './format.ts';
import { type Portable, type Rows, type TableColumns, tablesOf } from './portable.ts';
import { type Contents, type Limits, readBackup } from './read-backup.ts';

/** Where a backup is restored to. */
export interface RestoreTarget {
  /** Without one, the files are only read. */
  storage?: FileStorage;
  limits(): Promise<Limits>;
  /** Takes the place for this restore. Throws a sentence for the operator unless it is empty, or left by a restore that was killed. */
  take(): Promise<void>;
  /** Opens a new database there. */
  prepare(): Promise<Portable>;
  /** Removes what there is, in the restore's transaction. */
  empty?(): Promise<void>;
  /** Commits, and puts the database in place. */
  finish(header: Header): Promise<void>;
  /** Removes what was restored so far, and gives the place back. */
  abandon(): Promise<void>;
}

interface Options {
  passphrase?: string | undefined;
  onProgress?: ((bytes: number) => void) | undefined;
  /** As in reading a backup. */
  open?: Open | undefined;
  /** Leaves the database with the schema of the backup, for the version that made it; without the jobs if its pg-boss can't read them. */
  asItWas?: { withJobs: boolean };
}

/**
 * Restores a backup into an empty place: reads all of it once before it writes anything. The backup is loaded with the schema of its own
 * version, compared with its hashes there, and then brought up to this version's. Throws a sentence for the operator; then the place is as
 * it was. `question` is asked of the restored database.
 */
export async function restoreBackup<T>(
  file: string,
  place: RestoreTarget,
  question: (database: Portable) => Promise<T>,
  options: Options = {},
): Promise<Contents & { answer: T }> {
  await place.take();
  try {
    let jobs: JobRow[] = [];
    const keep = { jobs: async (rows: JobRow[]) => void (jobs = rows) };
    const contents = await readBackup(file, keep, { ...options, limits: await place.limits() });
    const database = await place.prepare();
    if (options.asItWas?.withJobs === false) jobs = [];
    else await makeJobStore(database, new Set(jobs.map(({ queue }) => queue)));
    await database.executeSql('begin', []);
    await place.empty?.();
    await load(file, { database, place, contents }, options);
    await sendJobs(database, jobs);
    const answer = await question(database);
    await place.finish(contents.header);
    return { ...contents, answer };
  } catch (error) {
    // What can't be removed now is marked, and the next restore removes it.
    await place.abandon().catch(() => {});
    throw explainLoading(error);
  }
}

/** A database names values of rows in its messages. */
function explainLoading(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const cause = { cause: error };
  // PostgreSQL stops when there is no room for its log.
  if (['ENOSPC', '53100', '57P02'].includes(code))
    return new Error('The disk is full. Nothing was left of the restore.', cause);
  // Of classes for values, constraints and names: what a backup may be wrong about.
  if (/^(?:22|23|42)...$/u.test(code))
    return Object.assign(damaged(`the database refuses it, ${logged(error).error}`), cause);
  return error;
}

interface Loading {
  database: Portable;
  place: RestoreTarget;
  contents: Contents;
}

async function load(file: string, { database, place, contents }: Loading, options: Options): Promise<void> {
  const { header, manifest } = contents;
  await bringUp(database, header.migration.at);
  const tables = await tablesOf(database);
  const isSame = isDeepStrictEqual(header.tables, tables);
  if (!isSame) throw damaged('its tables are not those of its version');
  const tie = await untie(database, tables);
  const { storage } = place;
  const store = async (key: string, size: number, content: Rows) =>
    storage?.putStream(key, Readable.from(content), size);
  await readBackup(file, { table: database.copyIn, ...(storage === undefined ? {} : { file: store }) }, options);
  for (const table of tables) {
    const { rows, rowsHash } = await sumTable(database, table);
    const entry = manifest.tables.find(({ name }) => name === table.name);
    if (rows !== entry?.rows || rowsHash !== entry.rowsHash) {
      throw new Error(
        `The table “${table.name}” was not restored as it was backed up. Nothing was left of the restore.`,
      );
    }
  }
  await tie();
  if (options.asItWas === undefined) await bringUp(database);
}

/** What a table contains now. */
export async function sumTable(database: Portable, table: TableColumns): Promise<TableSum> {
  const sum = sumRows();
  for await (const chunk of database.copyOut(table)) sum.update(chunk);
  return sum.digest();
}

/** Lets tables be filled in any order, without triggers; returns how to undo that, which checks the references between them. */
async function untie(database: Portable, tables: TableColumns[]): Promise<() => Promise<void>> {
  const { rows } = await database.executeSql(
    `select conrelid::regclass::text as name, quote_ident(conname) as constraint_name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
    [],
  );
  const triggers = (state: string) => tables.map(({ name }) => `alter table "${name}" ${state} trigger user`);
  const run = async (statements: string[]) => {
    for (const statement of statements) await database.executeSql(statement, []);
  };
  await run([
    ...rows.map((key) => `alter table ${key.name} drop constraint ${key.constraint_name}`),
    ...triggers('disable'),
  ]);
  return () =>
    run([
      ...rows.map((key) => `alter table ${key.name} add constraint ${key.constraint_name} ${key.definition}`),
      ...triggers('enable'),
    ]);
}

async function sendJobs(database: Portable, jobs: JobRow[]): Promise<void> {
  if (jobs.length === 0) return;
  const { sql, params } = new PgDialect().sqlToQuery(sendStatement(jobs));
  await database.executeSql(sql, params);
}
