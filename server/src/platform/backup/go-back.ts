import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../config.ts';
import { changeRecord, type InstallationRecord, readRecord } from '../database/record.ts';
import { createStorage } from '../storage/storage.ts';
import type { ExclusiveDatabase } from './hold-database.ts';
import { dropFunctions } from './places.ts';
import type { Portable } from './portable.ts';
import { restoreBackup } from './restore-backup.ts';
import { backUpOnce, bucketKey, makeBackupsFolder } from './upgrade.ts';

type Upgrade = NonNullable<InstallationRecord['upgrade']>;

/** From one state of an installation to another one that was backed up. */
export interface Way {
  kind: 'back' | 'forward';
  /** The upgrade that is taken back, or done again with what was written after it. */
  upgrade: Upgrade;
  /** The backup of the state to return to, and since when what was written is not in it. */
  backup: string;
  since: string;
}

/** The way back from the last upgrade, or the way to the newer state again; throws a sentence for the operator where there is none. */
export async function findWay(config: Config, database: Portable, kind: Way['kind']): Promise<Way> {
  const { upgrade, wentBack } = await readRecord(database);
  const way =
    kind === 'back'
      ? upgrade && { kind, upgrade, backup: upgrade.backup, since: upgrade.at }
      : wentBack && { kind, upgrade: wentBack.upgrade, backup: wentBack.backup, since: wentBack.at };
  if (way === undefined) {
    throw new Error(
      kind === 'back' ? 'There was no upgrade to take back.' : 'No upgrade was taken back, so there is no newer state.',
    );
  }
  const backup = join(makeBackupsFolder(config.DATA_DIR), way.backup);
  if (!existsSync(backup)) await fetchFromBucket(config, backup);
  return { ...way, backup };
}

/** Whether the version that a way leads to can read the jobs of its backup. */
export const keepsJobs = ({ kind, upgrade }: Way): boolean =>
  kind === 'forward' || !upgrade.migrations.some((name) => name.startsWith('jobs-'));

const bucketOf = (config: Config) => (config.S3_BUCKET === undefined ? undefined : createStorage(config));

async function fetchFromBucket(config: Config, file: string): Promise<void> {
  const [bucket, key] = [bucketOf(config), bucketKey(file)];
  if (bucket === undefined || !(await bucket.has(key))) {
    throw new Error(
      `The backup ${file} is not there: it was made by the process that upgraded. Set DATA_DIR as it has it.`,
    );
  }
  await pipeline(await bucket.get(key), createWriteStream(`${file}.part`, { mode: 0o600 }));
  renameSync(`${file}.part`, file);
}

/** Restores the state that a way leads to, after the present one is kept as a backup of its own; returns the file of that. */
export async function follow(config: Config, source: ExclusiveDatabase, way: Way): Promise<string> {
  const { kind, upgrade } = way;
  const { files } = await readRecord(source.database);
  const at = new Date().toISOString();
  const backup = `before-going-${kind}-${upgrade.at.replaceAll(':', '-')}.atelier`;
  const copy = join(makeBackupsFolder(config.DATA_DIR), backup);
  await source.database.executeSql('begin isolation level repeatable read', []);
  await backUpOnce(source.database, copy);
  await source.database.executeSql('commit', []);
  await bucketOf(config)?.put(bucketKey(copy), copy, statSync(copy).size);
  const isBack = kind === 'back';
  const withJobs = keepsJobs(way);
  const mark = async (database: Portable) => {
    if (isBack) await putFunctions(database, upgrade.functions);
    await changeRecord(database, { files, ...(isBack ? { wentBack: { at, upgrade, backup } } : { upgrade }) });
  };
  const place = await source.toReplace(withJobs);
  await restoreBackup(way.backup, place, mark, isBack ? { asItWas: { withJobs } } : {});
  return copy;
}

/** Puts functions and triggers in place as they were. */
async function putFunctions(database: Portable, functions: string[]): Promise<void> {
  const { rows } = await database.executeSql(
    `select format('drop trigger %I on %s', tgname, tgrelid::regclass) as dropping from pg_trigger
     where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
    [],
  );
  for (const { dropping } of rows) await database.executeSql(String(dropping), []);
  await dropFunctions(database);
  // One may name another that comes later.
  await database.executeSql('set local check_function_bodies = off', []);
  for (const statement of functions) await database.executeSql(statement, []);
}
