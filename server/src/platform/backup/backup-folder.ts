import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from '../database/folder/lock-folder.ts';
import { newKey, UnusableBackup } from './archive.ts';
import { readHeader } from './read-backup.ts';
import { filesIn, listOf, sharedFiles } from './shared-files.ts';

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.atelier/u;

/** The name of a new backup: the time to a second, after that of the newest. */
function newIn(folder: string): string {
  const newest = backupsIn(folder).at(-1) ?? '';
  for (let time = Date.now(); ; time += 1000) {
    const file = join(folder, `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z.atelier`);
    if (file > newest) return file;
  }
}

/** The backups of a folder, the oldest first. */
export function backupsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => NAME.test(name) && name.endsWith('.atelier'))
    .toSorted()
    .map((name) => join(folder, name));
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The backup that a path names: of a folder, the newest in it. */
export function backupAt(path: string): string {
  if (!isFolder(path)) return path;
  const newest = backupsIn(path).at(-1);
  if (newest === undefined) throw new UnusableBackup(`There is no backup in ${path}.`);
  return newest;
}

/** What the command exits with when another is at work. */
export const BUSY_CODE = 75;

/** Another backup is at work, so this one is not made. */
export class Busy extends Error {
  constructor(cause?: unknown) {
    super('Another backup is being made here. Wait for its end, then try again.', { cause });
  }
}

/** Locks a folder for one backup at a time; throws `Busy`. */
export function lockBackups(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return lockFolder(folder);
  } catch (cause) {
    throw new Busy(cause);
  }
}

/** Opens a folder of backups to write one into, and to remove old ones; `close` lets others in. */
export async function openBackupFolder(folder: string, passphrase: string | undefined) {
  if (existsSync(folder) && !isFolder(folder)) throw new Error(`${folder} is a file, not a folder.`);
  const close = lockBackups(filesIn(folder));
  try {
    const key = passphrase === undefined ? null : ((await lastKey(folder, passphrase)) ?? (await newKey()));
    return {
      file: newIn(folder),
      shared: sharedFiles(folder, key),
      dropOld: (limits: Kept) => dropOld(folder, limits),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** How many backups of a folder are kept, and how many bytes they may take together. */
export interface Kept {
  keep: number;
  bytes: number;
}

/** The key of the newest backup, if this passphrase opens it; with another passphrase, all files are written anew. */
async function lastKey(folder: string, passphrase: string): Promise<string | null | undefined> {
  const newest = backupsIn(folder).at(-1);
  const header = newest === undefined ? undefined : await readHeader(newest, passphrase).catch(() => undefined);
  return header?.shared?.key;
}

/** Removes the oldest backups, but never the newest, and every file that no other needs. */
async function dropOld(folder: string, { keep, bytes }: Kept): Promise<void> {
  const all = backupsIn(folder);
  for (const [at, old] of all.entries()) {
    const left = all.length - at;
    if (left === 1 || (left <= keep && (await sizeOf(folder)) <= bytes)) break;
    await rm(old);
    await dropUnneeded(folder);
  }
  await dropUnneeded(folder);
}

/** Removes files that no backup of the folder needs, and what a backup has left that was killed. */
async function dropUnneeded(folder: string): Promise<void> {
  const backups = backupsIn(folder);
  const belongs = new Set(backups.flatMap((backup) => [backup, listOf(backup)]));
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (NAME.test(name) && !belongs.has(path)) await rm(path);
  }
  const lists = await Promise.all(backups.map((backup) => readFile(listOf(backup), 'utf8').catch(() => undefined)));
  // Nobody knows what belongs to one whose list is lost.
  if (lists.includes(undefined)) return;
  const needed = new Set(lists.flatMap((list) => list?.split('\n') ?? []));
  for (const path of await sharedIn(folder)) if (!needed.has(path.slice(-64))) await rm(path);
}

async function sharedIn(folder: string): Promise<string[]> {
  const isThere = existsSync(filesIn(folder));
  const found = isThere ? await readdir(filesIn(folder), { recursive: true, withFileTypes: true }) : [];
  return found
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** How many bytes the backups of a folder take. */
export async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const path of [...backupsIn(folder), ...(await sharedIn(folder))]) size += (await stat(path)).size;
  return size;
}
