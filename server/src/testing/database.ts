import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Database } from '../platform/database/database.ts';
import { openInMemory } from '../platform/database/pglite.ts';
import { openPostgres } from '../platform/database/postgres.ts';
import { silentLog } from '../platform/log.ts';

/** Set when the suite runs on a real PostgreSQL server; its user must be a superuser, because databases are created and emptied here. */
const serverUrl = process.env.TEST_DATABASE_URL;
const TEMPLATE = 'atelier_test_template';

/** Once per run: migrates one database, has an app declare its job queues, and keeps it as dump or template for the workers. */
export async function prepareDatabase(serveOnce: (database: Database) => Promise<void>): Promise<void> {
  if (serverUrl === undefined) {
    const file = join(tmpdir(), `atelier-test-${process.pid}.tar`);
    process.env.ATELIER_TEST_DUMP = file;
    const { database, pglite } = await openInMemory();
    await serveOnce(database);
    await emptyTables(database);
    await writeFile(file, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
    await database.close();
    return;
  }
  await onServer(serverUrl, `drop database if exists ${TEMPLATE} with (force)`, `create database ${TEMPLATE}`);
  const database = await openPostgres(urlOf(serverUrl, TEMPLATE), silentLog);
  await serveOnce(database);
  await emptyTables(database);
  await database.close();
}

/** The embedded one, in memory, migrated. */
export async function openEmbeddedTestDatabase() {
  const file = process.env.ATELIER_TEST_DUMP;
  // Outside a test run (a benchmark) there is no dump: the migrations create the database.
  return openInMemory(file === undefined ? undefined : new Blob([new Uint8Array(await readFile(file))]));
}

/** Makes a data folder as a first start does, in a fraction of its time; that start itself has tests of its own. */
export function fillDataFolder(folder: string): void {
  const db = join(folder, 'db');
  mkdirSync(db, { mode: 0o700 });
  execFileSync('tar', ['xf', process.env.ATELIER_TEST_DUMP ?? '', '-C', db], { stdio: 'pipe' });
  writeFileSync(join(folder, 'secret'), randomBytes(32).toString('base64url'));
}

/** A migrated database for one test file, deleted when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  if (serverUrl === undefined) return (await openEmbeddedTestDatabase()).database;
  const name = `atelier_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  await onServer(serverUrl, `create database ${name} template ${TEMPLATE}`);
  const database = await openPostgres(urlOf(serverUrl, name), silentLog);
  return {
    ...database,
    close: async () => {
      await database.close();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Unused databases of this worker: creating one takes ten times as long as emptying it. */
const idle: Database[] = [];

/** The same for a test that doesn't change the schema: the next one may get it again, emptied. */
export async function borrowTestDatabase(): Promise<Database> {
  const database = idle.pop() ?? (await openTestDatabase());
  const close = async () => {
    await emptyTables(database);
    idle.push(database);
  };
  return { ...database, close };
}

/** The address of another database of the same server. */
export const urlOf = (server: string, database: string) => new URL(`/${database}`, server).href;

/** Sends statements to a server by a connection of their own; answers the rows of the last. */
export async function onServer(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url });
  // A test may cut it.
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

// Row by row, because there are few: `truncate` rebuilds every table and index, which takes ten times as long. The locks wait for writes
// left over from a finished test.
const EMPTY = `do $$
  declare
    tables text;
    name text;
  begin
    set local session_replication_role = replica;
    select string_agg(format('%I', tablename), ', ') into tables from pg_tables where schemaname = 'public';
    execute format('lock table %s in exclusive mode', tables);
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('delete from %I', name);
    end loop;
    delete from pgboss.job;
  end
$$`;

/** How long jobs at work are waited for: one may hang at a provider that a test has silenced. */
const JOBS_MS = 2_000;

/** Removes the jobs that have not begun, and waits for those that have. */
export async function dropJobs({ executeSql }: Database): Promise<void> {
  await executeSql(`delete from pgboss.job where state < 'active'`, []);
  const until = Date.now() + JOBS_MS;
  while (Date.now() < until) {
    const { rows } = await executeSql(`select from pgboss.job where state = 'active' limit 1`, []);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Empties our tables and the jobs; migrations and queues stay. Needs a superuser on PostgreSQL. */
export async function emptyTables(database: Database, tries = 5): Promise<void> {
  try {
    await database.executeSql(EMPTY, []);
  } catch (error) {
    // Work left over from a finished test may lock tables in another order; PostgreSQL then lets one of the two fail.
    const isDeadlock = error instanceof Error && 'code' in error && error.code === '40P01';
    if (!isDeadlock || tries === 1) throw error;
    await emptyTables(database, tries - 1);
  }
}

/** Removes every job and the queues that a test of the jobs themselves has declared. */
export async function emptyJobs({ executeSql }: Database): Promise<void> {
  await executeSql('delete from pgboss.job', []);
  await executeSql(`delete from pgboss.queue where name like 'test.%'`, []);
}
