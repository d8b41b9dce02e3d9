import { z } from 'zod';
import { nameOf, type Queries } from './migrate.ts';

const at = z.iso.datetime();
const names = z.array(z.string());
/**
 * An upgrade: the version before it and the backup of then, which `npm run go-back` restores, with the functions and triggers of then, because
 * that version puts none in place where it has nothing to migrate.
 */
const upgrade = z.object({ at, from: z.string(), migrations: names, backup: z.string(), functions: names });

/** What an installation says of itself in its database, so that it goes with it; versions before this one don't know of it. */
const recordShape = z.object({
  /** The version of the program that used the database last. */
  program: z.string().optional(),
  /** The last one. */
  upgrade: upgrade.optional(),
  /** The last upgrade was not tried out yet. */
  trial: z.literal('due').optional(),
  /** An upgrade that was taken back, and the backup of the newer state. */
  wentBack: z.object({ at, upgrade, backup: z.string() }).optional(),
  /** Where the database was moved to. */
  moved: z.object({ at, to: z.string() }).optional(),
  /** Where a move has begun to copy uploaded files to: what is there may be removed. */
  moving: z.object({ to: z.string() }).optional(),
  /** Where the uploaded files were moved to. */
  files: z.object({ at, to: z.string() }).optional(),
});
export type InstallationRecord = z.infer<typeof recordShape>;
type Change = { [Name in keyof InstallationRecord]: InstallationRecord[Name] | undefined };

const TABLE = 'drizzle.installation';

/** What is recorded; nothing in a database that an earlier version used. */
export async function readRecord({ executeSql }: Queries): Promise<InstallationRecord> {
  const { rows: tables } = await executeSql(`select to_regclass('${TABLE}')::text as found`, []);
  if (typeof tables[0]?.found !== 'string') return {};
  const { rows } = await executeSql(`select name, value from ${TABLE}`, []);
  return recordShape.parse(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
}

/** Records these, and removes those that are undefined; others stay. */
export async function changeRecord({ executeSql }: Queries, change: Change): Promise<void> {
  await executeSql(`create table if not exists ${TABLE} (name text primary key, value jsonb not null)`, []);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) await executeSql(`delete from ${TABLE} where name = $1`, [name]);
    else {
      const text = `insert into ${TABLE} values ($1, $2) on conflict (name) do update set value = excluded.value`;
      await executeSql(text, [name, JSON.stringify(value)]);
    }
  }
}

/** The version that serves a database as it is, in words for the operator. */
export async function servingVersion(database: Queries): Promise<string> {
  const { program, wentBack } = await readRecord(database);
  if (program !== undefined) return `version ${program}`;
  if (wentBack !== undefined) return wentBack.upgrade.from;
  const last = await nameOf(database);
  return `the version whose last migration is ${last} (git log -1 --format=%h -- server/migrations/${last}.sql)`;
}
