import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
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

interface KnownMigration extends Migration {
  /** Its number and name, such as `0046_newest_agents`. */
  tag: string;
  statements: string[];
}

const journal = z.object({ entries: z.array(z.object({ tag: z.string() })) });

/** Every migration of this version, in their order. */
function bundledMigrations(): KnownMigration[] {
  const { entries } = journal.parse(JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')));
  return readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash, folderMillis, sql }, at) => ({
    hash,
    at: folderMillis,
    tag: entries[at]?.tag ?? '',
    statements: sql,
  }));
}

/** What a migration names to say which functions belong to it. */
export const hashOfFunctions = () => createHash('sha256').update(readFunctions().join('\n')).digest('hex').slice(0, 12);

/** A statement of a migration that the database refused; its message is the beginning of a sentence for the operator. */
export class FailedMigration extends Error {
  /** PostgreSQL's. */
  readonly code: string;

  constructor(tag: string, statement: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const reason = cause instanceof Error && OF_SCHEMA.test(code) ? `${cause.message} (${code})` : logged(cause).error;
    const shown = statement.trim().split('\n', 1)[0]?.slice(0, STATEMENT_SHOWN) ?? '';
    super(`The migration ${tag} failed: ${reason}, at “${shown}”.`, { cause });
    this.code = code;
  }
}

/** An error of the schema's own statements: its message has their names only, never a value of a row. */
const OF_SCHEMA = /^42/u;
const STATEMENT_SHOWN = 120;

/**
 * Runs the migrations that the database lacks, as drizzle's own migrator does, and puts the functions in place, in the caller's transaction;
 * to an earlier migration, without the functions as they are now. Each statement waits at most half a minute for others that use its table:
 * meanwhile, those who come later wait behind it. Throws FailedMigration.
 */
export async function bringUp(tx: Queries, until = Number.POSITIVE_INFINITY): Promise<void> {
  const run = (statement: string) => tx.executeSql(statement, []);
  await run(`set local lock_timeout = '30s'`);
  const applied = await lastApplied(tx);
  await run('create schema if not exists drizzle');
  await run(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  const step = (tag: string) => async (statement: string) => {
    await run(statement).catch((cause: unknown) => {
      throw new FailedMigration(tag, statement, cause);
    });
  };
  for (const { tag, statements, hash, at } of bundledMigrations()) {
    if (at <= applied || at > until) continue;
    for (const statement of statements) await step(tag)(statement);
    await run(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${at})`);
  }
  if (until < Number.POSITIVE_INFINITY) return;
  for (const statement of readFunctions()) await step('of the functions')(statement);
}

/** The same in a transaction of its own. */
export async function migrate(database: Queries): Promise<void> {
  await database.executeSql('begin', []);
  try {
    await bringUp(database);
    await database.executeSql('commit', []);
  } catch (error) {
    await database.executeSql('rollback', []).catch(() => {});
    throw error;
  }
}

/** Every table that a migration ever made: a database may have others beside ours. */
export const tableNames = () =>
  bundledMigrations().flatMap(({ statements }) =>
    statements
      .flatMap((statement) => statement.split('\n').filter((line) => line.startsWith('CREATE TABLE ')))
      .flatMap((line) => line.split('"')[1] ?? []),
  );

/** A migration by its content and the time of its making. */
interface Migration {
  hash: string;
  at: number;
}

/** The last migration of a database that has been migrated. */
export async function lastMigration(database: Queries): Promise<Migration> {
  const { rows } = await database.executeSql(
    'select hash, created_at::float8 as at from drizzle.__drizzle_migrations order by created_at desc limit 1',
    [],
  );
  return { hash: String(rows[0]?.hash), at: Number(rows[0]?.at ?? 0) };
}

/** The name of the last migration of a database. */
export async function nameOf(database: Queries): Promise<string> {
  const { at } = await lastMigration(database);
  return bundledMigrations().find((migration) => migration.at === at)?.tag ?? '';
}

export const knowsMigration = ({ hash, at }: Migration) =>
  bundledMigrations().some((migration) => migration.hash === hash && migration.at === at);

/** The schema version of the pinned pg-boss, which migrates an older schema when it starts. */
export const JOBS_SCHEMA = 40;

const NEWER =
  'The database was last used by a newer version of this program, so this one would damage its data. Nothing was changed. Start the newer version again; its command npm run go-back takes the upgrade back.';

export interface Pending {
  /** What is lacking, oldest first, by its names: our migrations, and one more where pg-boss's own schema is older. */
  names: string[];
  migrations: { tag: string; at: number }[];
  /** The tables whose rows they change. */
  touched: Set<string>;
}

/** What this version would change in a database's schema. Throws a sentence for the operator if it doesn't know all migrations there. */
export async function pendingMigrations(database: Queries): Promise<Pending> {
  const applied = await lastApplied(database);
  const jobs = await jobsSchema(database);
  const isNewer = bundledMigrations().every(({ at }) => at < applied) || (jobs ?? 0) > JOBS_SCHEMA;
  if (isNewer) throw new Error(NEWER);
  const lacking = bundledMigrations().filter(({ at }) => at > applied);
  const names = lacking.map(({ tag }) => tag);
  if (jobs !== undefined && jobs < JOBS_SCHEMA) names.push(`jobs-${jobs}-to-${JOBS_SCHEMA}`);
  return { names, migrations: lacking, touched: touchedBy(lacking.flatMap(({ statements }) => statements)) };
}

/** Words after which a statement names a table whose rows it changes; the rest of each must be among the words after the name. */
const CHANGES: [words: string[], later?: string[]][] = [
  [['UPDATE']],
  [['INSERT', 'INTO']],
  [['DELETE', 'FROM']],
  [['TRUNCATE']],
  [['DROP', 'TABLE']],
  [
    ['ALTER', 'TABLE'],
    ['DROP COLUMN', 'RENAME COLUMN', 'DATA TYPE'],
  ],
];

/**
 * The tables whose rows statements change, or take columns from, by their words; what the words don't show, such as the rows that a trigger
 * changes, a migration names in a line `-- touches one, other`. What functions do when they are called later doesn't count.
 */
export function touchedBy(statements: string[]): Set<string> {
  return new Set(statements.flatMap(touchedByOne));
}

function touchedByOne(statement: string): string[] {
  const lines = statement.split('\n');
  const listed = lines.flatMap((line) => (line.startsWith(TOUCHES) ? line.slice(TOUCHES.length).split(',') : []));
  const text = lines.filter((line) => !line.trim().startsWith('--')).join('\n');
  const words = text.split(/[\s(;]+/u).filter((word) => word !== '');
  if (words[0]?.toUpperCase() === 'CREATE') return listed.map((name) => name.trim());
  const names = CHANGES.flatMap(([before, later]) =>
    words.flatMap((_, at) => {
      if (before.some((word, place) => words[at + place]?.toUpperCase() !== word)) return [];
      const [name, ...rest] = words.slice(at + before.length).filter((word) => !NOT_NAMES.has(word.toUpperCase()));
      const after = rest.join(' ').toUpperCase();
      const isChange = later === undefined || later.some((phrase) => after.includes(phrase));
      return name === undefined || !isChange ? [] : [name.split('.').at(-1) ?? ''];
    }),
  );
  return [...listed, ...names].map((name) => name.replaceAll('"', '').trim());
}

const TOUCHES = '-- touches ';
const NOT_NAMES = new Set(['ONLY', 'TABLE', 'IF', 'EXISTS']);

async function jobsSchema(database: Queries): Promise<number | undefined> {
  const { rows: tables } = await database.executeSql(`select to_regclass('pgboss.version')::text as found`, []);
  if (typeof tables[0]?.found !== 'string') return undefined;
  const { rows } = await database.executeSql('select version from pgboss.version', []);
  return rows[0] === undefined ? undefined : Number(rows[0].version);
}

/** Whether this database has been migrated before. */
export async function hasData(database: Queries): Promise<boolean> {
  const { rows } = await database.executeSql(`select to_regclass('drizzle.__drizzle_migrations')::text as found`, []);
  return typeof rows[0]?.found === 'string';
}

const lastApplied = async (database: Queries): Promise<number> =>
  (await hasData(database)) ? (await lastMigration(database)).at : 0;
