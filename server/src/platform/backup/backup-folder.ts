import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../../config.ts';
import { FolderInUse, lockFolder } from '../database/folder/lock-folder.ts';
import { newKey, UnusableBackup } from './archive.ts';
import { type BackupFiles, filesAt, folderAt, isBucket } from './backup-files.ts';
import { readHeader } from './read-backup.ts';
import { filesIn, listOf, sharedFiles } from './shared-files.ts';

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.atelier/u;

/** The name of a new backup: the time to a second, after that of the newest. */
function newIn(folder: string, newest = ''): string {
  for (let time = Date.now(); ; time += 1000) {
    const file = join(folder, `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z.atelier`);
    if (file > newest) return file;
  }
}

/** The backups of a folder, the oldest first. */
export async function backupsIn(files: BackupFiles): Promise<string[]> {
  const all = await files.list(files.folder);
  return all.filter((path) => NAME.test(basename(path)) && path.endsWith('.atelier')).toSorted();
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The backup of this name, and its folder: of a folder, the newest in it. */
export async function backupAt(place: string, config: Config): Promise<{ file: string; files: BackupFiles }> {
  const isFile = isBucket(place) ? place.endsWith('.atelier') : !isFolder(place);
  const files = filesAt(isFile ? dirname(place) : place, config);
  const file = isFile ? join(files.folder, basename(place)) : (await backupsIn(files)).at(-1);
  if (file === undefined) throw new UnusableBackup(`There is no backup in ${place}.`);
  return { file, files };
}

/** What the command exits with when another is at work. */
export const BUSY_CODE = 75;

/** Another backup is at work, so this one is not made. */
export class Busy extends Error {
  constructor(cause?: unknown) {
    super('Another backup is being made here. Wait for its end, then try again.', { cause });
  }
}

/** Locks a folder for one backup at a time; throws `Busy` while it is. */
export function lockBackups(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return lockFolder(folder);
  } catch (error) {
    throw error instanceof FolderInUse ? new Busy(error) : error;
  }
}

/** Opens a folder of backups to write one into, and to remove old ones; `close` lets others in. */
export async function openBackupFolder(files: BackupFiles, passphrase: string | undefined) {
  const { folder, scratch } = files;
  if (existsSync(scratch) && !isFolder(scratch)) throw new Error(`${scratch} is a file, not a folder.`);
  const close = lockBackups(filesIn(scratch));
  try {
    // What a killed one has left of what goes into a bucket.
    if (scratch !== folder) for (const path of await folderAt(scratch).list(scratch)) rmSync(path);
    const newest = (await backupsIn(files)).at(-1);
    const folderKey = passphrase === undefined || newest === undefined ? undefined : lastKey(files, newest, passphrase);
    const key = passphrase === undefined ? null : ((await folderKey) ?? (await newKey()));
    return {
      file: newIn(folder, newest),
      shared: await sharedFiles(files, key),
      dropOld: (limits: Retention) => dropOld(files, limits),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** How many backups of a folder are kept, and how many bytes they may take together. */
export interface Retention {
  keep: number;
  bytes: number;
}

/** The key of a backup, if this passphrase opens it; with another passphrase, all files are written again. */
async function lastKey(files: BackupFiles, backup: string, passphrase: string): Promise<string | null | undefined> {
  const header = await readHeader(backup, passphrase, files.open).catch(() => undefined);
  return header?.shared?.key;
}

/** Removes the oldest backups, but never the newest, and every file that no other needs. */
async function dropOld(files: BackupFiles, { keep, bytes }: Retention): Promise<void> {
  const all = await backupsIn(files);
  const isRoom = async () => bytes === Number.POSITIVE_INFINITY || (await sizeOf(files)) <= bytes;
  for (const [at, old] of all.entries()) {
    const remaining = all.length - at;
    if (remaining === 1 || (remaining <= keep && (await isRoom()))) break;
    await files.remove(old);
    await dropUnneeded(files);
  }
  await dropUnneeded(files);
}

/** Removes files that no backup of the folder needs, and what a backup has left that was killed. */
async function dropUnneeded(files: BackupFiles): Promise<void> {
  const backups = await backupsIn(files);
  const lists = backups.map(listOf);
  const belongs = new Set([...backups, ...lists]);
  const top = await files.list(files.folder);
  for (const path of top) if (NAME.test(basename(path)) && !belongs.has(path)) await files.remove(path);
  // Nobody knows what belongs to one whose list is lost.
  if (!lists.every((list) => top.includes(list))) return;
  const needed = new Set<string>();
  for (const list of lists) for (const name of (await text(await files.open(list))).split('\n')) needed.add(name);
  for (const path of await sharedIn(files)) if (!needed.has(path.slice(-64))) await files.remove(path);
}

const sharedIn = async (files: BackupFiles): Promise<string[]> =>
  (await files.list(filesIn(files.folder), true)).filter((path) => /^[0-9a-f]{64}/u.test(basename(path)));

/** How many bytes the backups of a folder on this machine take. */
export async function sizeOf(files: BackupFiles): Promise<number> {
  let size = 0;
  for (const path of [...(await backupsIn(files)), ...(await sharedIn(files))]) size += (await stat(path)).size;
  return size;
}
