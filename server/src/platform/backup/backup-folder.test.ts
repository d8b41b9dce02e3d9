import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { openEmbeddedTestDatabase } from '../../testing/database.ts';
import { createStorage } from '../storage/storage.ts';
import { newKey } from './archive.ts';
import { Busy, backupAt, backupsIn, openBackupFolder } from './backup-folder.ts';
import { portablePglite } from './portable.ts';
import { readBackup } from './read-backup.ts';
import { writeBackup } from './write-backup.ts';

let root: string;
let folder: string;
let pglite: PGlite;
let names = 0;
const fresh = (name: string) => join(root, `${name}-${(names += 1)}`);
const storageIn = (path: string) => createStorage(readConfig({ DATA_DIR: path }));
let storage: ReturnType<typeof storageIn>;

async function store(name: string, content: string): Promise<void> {
  const file = fresh('upload');
  writeFileSync(file, content);
  await storage.put(`userFiles/1/${name}`, file, Buffer.byteLength(content));
}
const remove = (name: string) => storage.delete(`userFiles/1/${name}`);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'atelier-backups-'));
  ({ pglite } = await openEmbeddedTestDatabase());
  await pglite.exec(`insert into "user" (id, name, email) values ('1', 'Ada', 'ada@example.com')`);
});
afterAll(async () => {
  await pglite.close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = fresh('backups');
  storage = storageIn(fresh('source'));
  await store('a.txt', 'the first file');
  await store('b.txt', 'the second file');
  await store('copy-of-a.txt', 'the first file');
});

async function backUp(passphrase?: string): Promise<string> {
  const { file, shared, close } = await openBackupFolder(folder, passphrase);
  const source = { database: portablePglite(pglite), storage, secrets: [], sealed: {} };
  await writeBackup(source, file, { passphrase, shared }).finally(close);
  return file;
}

const sharedFiles = () =>
  readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true })
    .filter(({ parentPath, name }) => /^[0-9a-f]{2}$/u.test(basename(parentPath)) && name.length >= 64)
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
async function drop(keep: number, bytes = Number.POSITIVE_INFINITY): Promise<void> {
  const { dropOld, close } = await openBackupFolder(folder, undefined);
  await dropOld({ keep, bytes }).finally(close);
}

/** The uploaded files of a backup. */
async function filesOf(path: string, passphrase?: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const file = async (key: string, _: number, content: AsyncIterable<Uint8Array>) =>
    void (found[basename(key)] = await text(content));
  await readBackup(path, { file }, { passphrase });
  return found;
}

test('a folder has each file once, the next backup writes only what is new, and each backup has its own', async () => {
  const first = await backUp();
  const before = sharedFiles();
  expect(before.map((path) => basename(path))).toEqual(
    ['the first file', 'the second file'].map((content) => hash('sha256', content)).toSorted(),
  );
  const written = before.map((path) => statSync(path).ino);
  await remove('b.txt');
  await store('c.txt', 'the third file');
  const second = await backUp();
  expect(sharedFiles()).toHaveLength(3);
  expect(before.map((path) => statSync(path).ino)).toEqual(written);
  expect(backupsIn(folder)).toEqual([first, second]);
  const same = { 'a.txt': 'the first file', 'copy-of-a.txt': 'the first file' };
  expect(await filesOf(first)).toEqual({ ...same, 'b.txt': 'the second file' });
  expect(await filesOf(backupAt(folder))).toEqual({ ...same, 'c.txt': 'the third file' });
});

test('with an old backup goes what no other needs, and what a killed one has left', async () => {
  await backUp();
  await remove('b.txt');
  const second = await backUp();
  writeFileSync(join(folder, '2026-03-09T00-00-00Z.atelier.part'), 'cut');
  writeFileSync(join(folder, 'mine.atelier'), 'of somebody else');
  await drop(1);
  expect(backupsIn(folder)).toEqual([second]);
  expect(sharedFiles().map((path) => basename(path))).toEqual([hash('sha256', 'the first file')]);
  expect(readdirSync(folder).toSorted()).toEqual([
    basename(second),
    `${basename(second)}.files`,
    'files',
    'mine.atelier',
  ]);
  await remove('a.txt');
  await remove('copy-of-a.txt');
  const third = await backUp();
  // The newest stays, whatever it takes.
  await drop(14, 0);
  expect([backupsIn(folder), sharedFiles()]).toEqual([[third], []]);
});

test('encrypted, neither content nor names of files say anything; another passphrase has all files written anew', async () => {
  // Keys of age open and encrypt as a passphrase does, which takes a second each time.
  const [ours, theirs] = [await newKey(), await newKey()];
  const first = await backUp(ours);
  const before = sharedFiles();
  expect(before).toHaveLength(2);
  for (const path of before) {
    expect(readFileSync(path, 'latin1').slice(0, 21)).toBe('age-encryption.org/v1');
    expect(basename(path)).not.toBe(hash('sha256', 'the first file'));
  }
  await expect(readBackup(first)).rejects.toThrow('This backup is encrypted');
  await backUp(ours);
  expect(sharedFiles()).toEqual(before);
  const other = await backUp(theirs);
  expect(sharedFiles()).toHaveLength(4);
  expect(await filesOf(first, ours)).toMatchObject({ 'b.txt': 'the second file' });
  await drop(1);
  expect([backupsIn(folder), sharedFiles().length]).toEqual([[other], 2]);
});

test('a shared file that is damaged, exchanged or missing is named, and written again once it is deleted', async () => {
  const first = await backUp();
  const [one = '', two = ''] = sharedFiles();
  const content = readFileSync(one);
  const isWrong = () => expect(readBackup(first)).rejects.toThrow(`its file ${one} is missing, or is damaged`);
  truncateSync(one, content.length - 1);
  await isWrong();
  writeFileSync(one, readFileSync(two));
  await isWrong();
  rmSync(one);
  await isWrong();
  await backUp();
  expect((await readBackup(first)).manifest.files.count).toBe(3);
});

test('one backup at a time is written into a folder, and nothing is removed meanwhile or while a list is lost', async () => {
  const first = await backUp();
  const open = await openBackupFolder(folder, undefined);
  await expect(openBackupFolder(folder, undefined)).rejects.toThrow(Busy);
  await expect(drop(1)).rejects.toThrow(Busy);
  open.close();
  await remove('b.txt');
  const second = await backUp();
  rmSync(`${second}.files`);
  await drop(1);
  expect([backupsIn(folder).includes(first), sharedFiles().length]).toEqual([false, 2]);
  expect(() => backupAt(fresh('empty'))).not.toThrow();
  rmSync(second);
  expect(() => backupAt(folder)).toThrow('There is no backup in');
});
