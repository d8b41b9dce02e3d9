import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DrizzleQueryError, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { logged } from '../logged-error.ts';
import type { Database } from './database.ts';

export type Queries = Pick<Database, 'executeSql'>;

/** The folder of generated SQL, one set for both databases. */
export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/**
 * The functions and triggers of the database as they are now, each in a file beside its feature; the bundle has them in `sql`. They are
 * put in place with the migrations. Whoever changes one adds a migration (`npm run db:generate -- --custom`), because an older version refuses a
 * database with a migration that it doesn't know; it would put its own functions back.
 */
export function readFunctions(): string[] {
  const bundled = join(import.meta.dirname, 'sql');
  const folder = existsSync(bundled) ? bundled : join(import.meta.dirname, '../..');
  return globSync('**/*.sql', { cwd: folder })
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('--> statement-breakpoint'));
}

const known = () => readMigrationFiles({ migrationsFolder: MIGRATIONS });

/** What a migration names to say which functions belong to it. */
export const hashOfFunctions = () => createHash('sha256').update(readFunctions().join('\n')).digest('hex').slice(0, 12);

/**
 * Runs the migrations that the database lacks, as drizzle's own migrator does, and puts the functions in place: all in one transaction, which
 * that migrator has to itself. Throws a sentence for the operator. Each statement waits at most half a minute for others that use its table:
 * meanwhile, those who come later wait behind it.
 */
export async function migrate(db: PgDatabase<PgQueryResultHKT>): Promise<void> {
  await db
    .transaction(async (tx) => {
      await bringUp({ executeSql: async (text) => asRows.parse(await tx.execute(sql.raw(text))) });
    })
    .catch(explainMigration);
}

const asRows = z.object({ rows: z.array(z.record(z.string(), z.unknown())) });

/** The same in the caller's transaction; to an earlier migration, without the functions as they are now. */
export async function bringUp(tx: Queries, until = Number.POSITIVE_INFINITY): Promise<void> {
  const run = (statement: string) => tx.executeSql(statement, []);
  await run(`set local lock_timeout = '30s'`);
  const applied = await lastApplied(tx);
  await run('create schema if not exists drizzle');
  await run(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  for (const { sql: statements, hash, folderMillis } of known()) {
    if (folderMillis <= applied || folderMillis > until) continue;
    for (const statement of statements) await run(statement);
    await run(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${folderMillis})`);
  }
  if (until === Number.POSITIVE_INFINITY) for (const statement of readFunctions()) await run(statement);
}

/** Every table that a migration ever made: a database may have others beside ours. */
export const tableNames = () =>
  known().flatMap(({ sql: statements }) =>
    statements.flatMap(
      (statement) => /^\s*CREATE TABLE (?:IF NOT EXISTS )?"(?<name>\w+)"/u.exec(statement)?.groups?.name ?? [],
    ),
  );

/** A migration by its content and the time of its making. */
export interface Migration {
  hash: string;
  at: number;
}

/** The last migration of a database that has been migrated. */
export async function lastMigration(database: Queries): Promise<Migration> {
  const { rows } = await database.executeSql(
    'select hash, created_at::float8 as at from drizzle.__drizzle_migrations order by created_at desc limit 1',
    [],
  );
  return { hash: String(rows[0]?.hash), at: Number(rows[0]?.at) };
}

export const knowsMigration = ({ hash, at }: Migration) =>
  known().some((migration) => migration.hash === hash && migration.folderMillis === at);

/** The schema version of the pinned pg-boss, which migrates an older schema when it starts. */
export const JOBS_SCHEMA = 40;

const NEWER =
  'The database was last used by a newer version of this program, so this one would damage its data. Nothing was changed. Start the newer version again, or restore a backup from before it.';

/**
 * The migrations that this database lacks, by the first characters of their hash, oldest first. Throws a sentence for the operator when it
 * has some that this version doesn't know.
 */
export async function pendingMigrations(database: Queries): Promise<string[]> {
  const applied = await lastApplied(database);
  const jobs = await jobsSchema(database);
  const isNewer = known().every(({ folderMillis }) => folderMillis < applied) || (jobs ?? 0) > JOBS_SCHEMA;
  if (isNewer) throw new Error(NEWER);
  const ours = known()
    .filter((migration) => migration.folderMillis > applied)
    .map((migration) => migration.hash.slice(0, 12));
  return jobs !== undefined && jobs < JOBS_SCHEMA ? [...ours, `jobs-${jobs}-to-${JOBS_SCHEMA}`] : ours;
}

async function jobsSchema(database: Queries): Promise<number | undefined> {
  const { rows: found } = await database.executeSql(`select to_regclass('pgboss.version')::text as found`, []);
  if (typeof found[0]?.found !== 'string') return undefined;
  const { rows } = await database.executeSql('select version from pgboss.version', []);
  return rows[0] === undefined ? undefined : Number(rows[0].version);
}

/** An error of the schema's own statements: its message has their names only, never a value of a row. */
const OF_SCHEMA = /^42/u;

/** For `catch`: which migration failed, at which of its statements and why, as a sentence for the operator. */
export function explainMigration(error: unknown): never {
  if (!(error instanceof DrizzleQueryError)) throw error;
  const { query, cause } = error;
  const at = known().findIndex(({ sql }) => sql.includes(query));
  const journal = readJournal();
  const code = cause !== undefined && 'code' in cause ? String(cause.code) : '';
  const reason = cause !== undefined && OF_SCHEMA.test(code) ? `${cause.message} (${code})` : logged(cause).error;
  const statement = query.trim().split('\n', 1)[0]?.slice(0, STATEMENT_SHOWN) ?? '';
  throw new Error(
    `The migration ${journal[at] ?? 'of the database'} failed: ${reason}, at “${statement}”. It was rolled back whole, so nothing was changed. Start the version that you came from, or restore a backup.`,
    { cause: error },
  );
}

const STATEMENT_SHOWN = 120;

/** The names of the migrations, in their order. */
function readJournal(): string[] {
  const journal = z.object({ entries: z.array(z.object({ tag: z.string() })) });
  return journal
    .parse(JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')))
    .entries.map(({ tag }) => tag);
}

/** Whether this database has been migrated before. */
export async function hasData(database: Queries): Promise<boolean> {
  const { rows } = await database.executeSql(`select to_regclass('drizzle.__drizzle_migrations')::text as found`, []);
  return typeof rows[0]?.found === 'string';
}

async function lastApplied(database: Queries): Promise<number> {
  if (!(await hasData(database))) return 0;
  const { rows } = await database.executeSql('select max(created_at) as last from drizzle.__drizzle_migrations', []);
  return Number(rows[0]?.last ?? 0);
}
