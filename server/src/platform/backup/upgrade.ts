import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Start } from '../database/bring-up-to-date.ts';
import { bringUp, FailedMigration, lastMigration, type Pending, pendingMigrations } from '../database/migrate.ts';
import { changeRecord, servingVersion } from '../database/record.ts';
import { logged } from '../logged-error.ts';
import { outageOf } from '../outage.ts';
import type { FileStorage } from '../storage/storage.ts';
import { type Portable, SAME_TEXT, type TableColumns, tablesOf } from './portable.ts';
import { type Contents, readBackup } from './read-backup.ts';
import { sumTable } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

/** How many backups of before an upgrade or a way back are kept. */
const BACKUPS_MAX = 3;
const BEFORE = 'before-';

/**
 * Brings a database with data up to this version: backs its tables up, migrates it and compares the tables that no migration names, all in one
 * transaction, during which others only read. Throws a sentence for the operator; then the database is as it was.
 */
export async function upgrade(database: Portable, { folder, bucket, log }: Start): Promise<void> {
  const pending = await pendingMigrations(database);
  const from = await servingVersion(database);
  const migrations = pending.names;
  const backup = `${BEFORE}${migrations[0]}-${hash('sha256', migrations.join()).slice(0, 8)}.atelier`;
  const file = join(makeBackupsFolder(folder), backup);
  await database.executeSql(SAME_TEXT, []);
  await database.executeSql('begin', []);
  try {
    await keepOthersOut(database);
    const before = await backUpOnce(database, file);
    await bucket?.put(bucketKey(file), file, statSync(file).size);
    log.info('database.upgrading', { from, migrations, backup: file, back: 'To take it back: npm run go-back' });
    const functions = await functionsOf(database);
    await bringUp(database);
    await compare(database, before, pending);
    const at = new Date().toISOString();
    const done = { at, from, migrations, backup, functions };
    await changeRecord(database, { upgrade: done, trial: 'due', wentBack: undefined });
    await database.executeSql('commit', []);
  } catch (error) {
    await database.executeSql('rollback', []).catch(() => {});
    throw explain(error, from);
  }
  await removeOld(file, bucket).catch((error: unknown) => log.error('database.old_backups', error));
}

export function makeBackupsFolder(folder: string): string {
  const backups = resolve(folder, 'backups');
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  return backups;
}

/** Where a bucket holds a backup, too: an installation with its files there may have no folder that lasts. */
export const bucketKey = (file: string) => `backups/${basename(file)}`;

/** Another process of an earlier version may still serve: what it wrote meanwhile would be in no backup. */
async function keepOthersOut(database: Portable): Promise<void> {
  const tables = (await tablesOf(database)).map(({ name }) => `"${name}"`);
  await database.executeSql(`set local lock_timeout = '30s'; lock table ${tables.join()} in exclusive mode`, []);
}

/**
 * A backup of the tables as they are, nothing withheld, read back. The one of that name stays if the tables are the same: so a start that
 * fails again and again makes one.
 */
export async function backUpOnce(database: Portable, file: string): Promise<Contents> {
  const earlier = existsSync(file) ? await readBackup(file).catch(() => undefined) : undefined;
  if (earlier !== undefined && (await isOf(database, earlier))) return earlier;
  const part = `${file}.new`;
  rmSync(part, { force: true });
  await writeBackup({ database, secrets: [], sealed: {} }, part);
  const contents = await readBackup(part);
  renameSync(part, file);
  return contents;
}

async function isOf(database: Portable, { header, manifest }: Contents): Promise<boolean> {
  if (!isDeepStrictEqual(header.migration, await lastMigration(database))) return false;
  for (const table of header.tables) {
    const entry = manifest.tables.find(({ name }) => name === table.name);
    if (entry?.rowsHash !== (await sumTable(database, table)).rowsHash) return false;
  }
  return true;
}

/** Our functions and triggers, as statements that make them. */
async function functionsOf(database: Portable): Promise<string[]> {
  const { rows } = await database.executeSql(
    `select pg_get_functiondef(oid) as made, 0 as place, proname as name from pg_proc
       where proname like 'atelier\\_%' and pronamespace = 'public'::regnamespace
     union all select pg_get_triggerdef(oid), 1, tgname from pg_trigger
       where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
     order by place, name`,
    [],
  );
  return rows.map(({ made }) => String(made));
}

/** Throws where the rows of a table that no migration names are not those of before. */
async function compare(database: Portable, { header, manifest }: Contents, pending: Pending): Promise<void> {
  for (const table of header.tables) {
    if (pending.touched.has(table.name)) continue;
    const was = manifest.tables.find(({ name }) => name === table.name);
    // With the columns of then.
    const is = await sumTable(database, table);
    if (is.rowsHash === was?.rowsHash) continue;
    const rows = is.rows === was?.rows ? 'some of its rows are others' : `it had ${was?.rows} rows and has ${is.rows}`;
    const changing = await findChanging(database, table, was?.rowsHash, pending);
    throw new Error(`The migration ${changing} changed the table “${table.name}”, which it doesn’t name: ${rows}.`);
  }
}

/** Runs the migrations once more, one after another, to know which of them it was. */
async function findChanging(database: Portable, table: TableColumns, was: string | undefined, pending: Pending) {
  await database.executeSql('rollback', []);
  await database.executeSql('begin', []);
  for (const { tag, at } of pending.migrations) {
    await bringUp(database, at);
    if ((await sumTable(database, table)).rowsHash !== was) return tag;
  }
  return 'of the functions';
}

/** Waiting helps where the database is away, and nowhere else. */
function explain(error: unknown, from: string): unknown {
  if (!(error instanceof Error)) return error;
  const isOfFile = [error, error.cause].some((one) => one instanceof Error && 'path' in one);
  if (outageOf(error) === 'away' && !isOfFile) return error;
  const sentence = 'code' in error && !(error instanceof FailedMigration) ? `${logged(error).error}.` : error.message;
  return new Error(
    `${sentence} It was rolled back whole, so nothing was changed. Start ${from}, which serves the database as it is.`,
  );
}

/** Removes older backups of before an upgrade or a way back, all but the last few, in a bucket but the last, and what was not written to its end. */
async function removeOld(last: string, bucket: FileStorage | undefined): Promise<void> {
  const backups = dirname(last);
  const made = readdirSync(backups).filter((name) => name.startsWith(BEFORE) && name !== basename(last));
  const whole = made
    .filter((name) => name.endsWith('.atelier'))
    .toSorted((a, b) => statSync(join(backups, b)).mtimeMs - statSync(join(backups, a)).mtimeMs);
  const newest = whole.slice(0, BACKUPS_MAX - 1);
  for (const name of made.filter((one) => !newest.includes(one))) rmSync(join(backups, name));
  for await (const { key } of bucket?.list('backups') ?? [])
    if (key.startsWith(bucketKey(BEFORE)) && key !== bucketKey(last)) await bucket?.delete(key);
}
