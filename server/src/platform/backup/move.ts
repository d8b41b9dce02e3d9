import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Config } from '../../config.ts';
import { endArrival } from '../database/folder/data-folder.ts';
import { MOVING, placeOf } from '../database/postgres.ts';
import { changeRecord, readRecord } from '../database/record.ts';
import { createStorage, type FileStorage, filesPlace } from '../storage/storage.ts';
import { holdDatabase } from './hold-database.ts';
import { embeddedPlace, postgresPlace, syncFiles } from './places.ts';
import type { Portable } from './portable.ts';
import { connectPostgres } from './postgres-source.ts';
import { restoreBackup } from './restore-backup.ts';
import { makeBackupsFolder } from './upgrade.ts';
import { type BackupCounts, writeBackup } from './write-backup.ts';

type OnProgress = (done: number, all?: number) => void;

/** The place of a database, without its password. */
export function databasePlace({ DATABASE_URL, DATA_DIR }: Config): string {
  if (DATABASE_URL === undefined) return `the folder ${resolve(DATA_DIR)}`;
  return `PostgreSQL at ${placeOf(DATABASE_URL)}`;
}

/**
 * Moves an installation that no server uses to the database and the storage of other settings, compares every table and file there, and marks
 * what it leaves, which stays as it is. Throws a sentence for the operator; then the old place stays in use, and the next move starts again.
 */
export async function move(from: Config, to: Config, onProgress: OnProgress = () => {}): Promise<BackupCounts> {
  const [database, files] = [databasePlace(to), filesPlace(to)];
  const isDatabase = database !== databasePlace(from);
  const isFiles = files !== filesPlace(from);
  if (!isDatabase && !isFiles) throw new Error(`Database and files are in ${database} and in ${files} already.`);
  const source = await holdDatabase(from);
  const done = { tables: 0, rows: 0, files: 0, bytes: 0 };
  try {
    const { moved, moving, files: movedFiles } = await readRecord(source.database);
    if (moved !== undefined && moved.to !== database)
      throw new Error(`This database was moved to ${moved.to} already.`);
    if (isFiles && movedFiles !== undefined && movedFiles.to !== filesPlace(from))
      throw new Error(`The uploaded files were moved to ${movedFiles.to} already.`);
    const at = new Date().toISOString();
    const mark = isFiles ? { at, to: files } : movedFiles;
    // Otherwise a move that was stopped at its last step goes on.
    if (moved === undefined) {
      if (isFiles) {
        if (isDatabase) await requireEmpty(to);
        const storages = { from: createStorage(from), to: createStorage(to) };
        const leftovers = await findLeftovers(storages, moving?.to === files);
        await changeRecord(source.database, { moving: { to: files } });
        Object.assign(done, await copyFiles(storages, leftovers, onProgress));
        syncFiles(resolve(to.DATA_DIR), storages.to);
      }
      const ended = { files: mark, moving: undefined };
      if (isDatabase) Object.assign(done, await copyDatabase(source.database, to, ended, onProgress));
      await changeRecord(source.database, isDatabase ? { moved: { at, to: database }, moving: undefined } : ended);
    }
    if (isDatabase) await endMove(to);
    return done;
  } finally {
    await source.release();
  }
}

type Mark = Parameters<typeof changeRecord>[1];

const placeIn = ({ DATABASE_URL, DATA_DIR }: Config) =>
  DATABASE_URL === undefined ? embeddedPlace(DATA_DIR, undefined, 'move') : postgresPlace(DATABASE_URL, DATA_DIR);

/** Throws where the place has a database, with which its files may be in use. */
async function requireEmpty(to: Config): Promise<void> {
  const place = placeIn(to);
  await place.take();
  await place.abandon();
}

/** Restores a fresh backup of the tables in an empty place, which compares them there. */
async function copyDatabase(database: Portable, to: Config, mark: Mark, onProgress: OnProgress) {
  const file = join(makeBackupsFolder(to.DATA_DIR), 'move.atelier');
  rmSync(file, { force: true });
  try {
    await database.executeSql('begin isolation level repeatable read', []);
    const { tables, rows } = await writeBackup({ database, secrets: [], sealed: {} }, file, { onProgress });
    const record = await readRecord(database);
    await database.executeSql('commit', []);
    await restoreBackup(file, placeIn(to), (there) => changeRecord(there, { ...record, ...mark }));
    return { tables, rows };
  } finally {
    rmSync(file, { force: true });
  }
}

/** From now on servers start on the new database. */
async function endMove({ DATABASE_URL, DATA_DIR }: Config): Promise<void> {
  if (DATABASE_URL === undefined) return endArrival(resolve(DATA_DIR));
  const client = await connectPostgres(DATABASE_URL);
  await client.query(`drop schema if exists ${MOVING}`).finally(() => client.end());
}

type Storages = Record<'from' | 'to', FileStorage>;

/** What a copying that was stopped has left. Throws where it may be anything else. */
async function findLeftovers({ from, to }: Storages, isBegun: boolean): Promise<Set<string>> {
  const leftovers = new Set<string>();
  for await (const key of to.keys('userFiles', true)) leftovers.add(key);
  let isOurs = false;
  for await (const key of from.keys('userFiles', true)) isOurs ||= isBegun && leftovers.has(key);
  if (leftovers.size > 0 && !isOurs)
    throw new Error('There are other uploaded files already where these shall go. Empty that place first.');
  return leftovers;
}

/** Copies every file, and reads each copy again; leftovers are used or removed. */
async function copyFiles({ from, to }: Storages, leftovers: Set<string>, onProgress: OnProgress) {
  const done = { files: 0, bytes: 0 };
  for await (const { key, size } of from.list('userFiles')) {
    const sum = await hashOf(await from.get(key));
    if (!leftovers.delete(key) || (await hashOf(await to.get(key))) !== sum) {
      await to.putStream(key, Readable.from(await from.get(key)), size);
      if ((await hashOf(await to.get(key))) !== sum) throw new Error(`The file “${key}” was not copied as it is.`);
    }
    done.files += 1;
    done.bytes += size;
    onProgress(done.bytes);
  }
  for (const key of leftovers) await to.delete(key);
  return done;
}

async function hashOf(content: Readable): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of content) sum.update(chunk);
  return sum.digest('hex');
}

/** Takes the marks of a move away: the configured place is the one in use again. Throws where there is none. */
export async function stay(config: Config): Promise<void> {
  const source = await holdDatabase(config);
  try {
    const { moved, files } = await readRecord(source.database);
    if (moved === undefined && files === undefined) throw new Error('Nothing was moved from here.');
    await changeRecord(source.database, { moved: undefined, moving: undefined, files: undefined });
  } finally {
    await source.release();
  }
}
