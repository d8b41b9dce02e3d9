import { hash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { openEmbeddedTestDatabase } from '../../testing/database.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { startOwnBucket } from '../../testing/own-bucket.ts';
import { silentLog } from '../log.ts';
import { createStorage } from '../storage/storage.ts';
import { newKey } from './archive.ts';
import { type BackupFiles, filesAt, folderAt } from './backup-files.ts';
import { Busy, backupAt, backupsIn, openBackupFolder } from './backup-folder.ts';
import { backupsOf } from './daily.ts';
import { deletionsIn, noteDeletion, takeDeletions, tidyDeletions } from './deletions.ts';
import { portablePglite } from './portable.ts';
import { readBackup } from './read-backup.ts';
import { writeBackup } from './write-backup.ts';

let folder: string;
let files: BackupFiles;
const storageIn = (path: string) => createStorage(readConfig({ DATA_DIR: path }));
let storage: ReturnType<typeof storageIn>;

async function store(name: string, content: string): Promise<void> {
  const file = fresh('upload');
  writeFileSync(file, content);
  await storage.put(`userFiles/1/${name}`, file, Buffer.byteLength(content));
}
const remove = (name: string) => storage.delete(`userFiles/1/${name}`);

const { folder: root, fresh } = temporaryFolder('backups');
const bucket = await closing(startOwnBucket(root));
const { pglite } = await openEmbeddedTestDatabase();
afterAll(() => pglite.close());
await pglite.exec(`insert into "user" (id, name, email) values ('1', 'Ada', 'ada@example.com')`);
beforeEach(async () => {
  folder = fresh('backups');
  files = folderAt(folder);
  storage = storageIn(fresh('source'));
  await store('a.txt', 'the first file');
  await store('b.txt', 'the second file');
  await store('copy-of-a.txt', 'the first file');
});

async function backUp(passphrase?: string): Promise<string> {
  const { file, shared, close } = await openBackupFolder(files, passphrase);
  const source = { database: portablePglite(pglite), storage, secrets: [], sealed: {} };
  await writeBackup(source, file, { passphrase, shared, files }).finally(close);
  return file;
}

const sharedFiles = () =>
  readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true })
    .filter(({ parentPath, name }) => /^[0-9a-f]{2}$/u.test(basename(parentPath)) && name.length >= 64)
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
async function drop(keep: number, bytes = Number.POSITIVE_INFINITY): Promise<void> {
  const { dropOld, close } = await openBackupFolder(files, undefined);
  await dropOld({ keep, bytes }).finally(close);
}

const newest = async () => (await backupAt(folder, readConfig({}))).file;

/** The uploaded files of a backup. */
async function filesOf(path: string, passphrase?: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const file = async (key: string, _: number, content: AsyncIterable<Uint8Array>) =>
    void (found[basename(key)] = await text(content));
  await readBackup(path, { file }, { passphrase, open: files.open });
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
  expect(await backupsIn(files)).toEqual([first, second]);
  const same = { 'a.txt': 'the first file', 'copy-of-a.txt': 'the first file' };
  expect(await filesOf(first)).toEqual({ ...same, 'b.txt': 'the second file' });
  expect(await filesOf(await newest())).toEqual({ ...same, 'c.txt': 'the third file' });
});

test('with an old backup goes what no other needs, and what a killed one has left', async () => {
  await backUp();
  await remove('b.txt');
  const second = await backUp();
  writeFileSync(join(folder, '2026-03-09T00-00-00Z.atelier.part'), 'cut');
  writeFileSync(join(folder, 'mine.atelier'), 'of somebody else');
  await drop(1);
  expect(await backupsIn(files)).toEqual([second]);
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
  expect([await backupsIn(files), sharedFiles()]).toEqual([[third], []]);
});

test('encrypted, neither content nor names of files say anything; another passphrase has all files written again', async () => {
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
  expect([await backupsIn(files), sharedFiles().length]).toEqual([[other], 2]);
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
  const open = await openBackupFolder(files, undefined);
  await expect(openBackupFolder(files, undefined)).rejects.toThrow(Busy);
  await expect(drop(1)).rejects.toThrow(Busy);
  open.close();
  // A full disk is not another backup.
  symlinkSync('/dev/full', join(folder, 'files', 'lock.owner.new'));
  await expect(openBackupFolder(files, undefined)).rejects.toThrow('ENOSPC');
  await remove('b.txt');
  const second = await backUp();
  rmSync(`${second}.files`);
  await drop(1);
  expect([(await backupsIn(files)).includes(first), sharedFiles().length]).toEqual([false, 2]);
  rmSync(second);
  await expect(newest()).rejects.toThrow('There is no backup in');
});

test('a bucket has them as a folder does: files once, the newest found, what nobody needs removed, damage named', async () => {
  const config = { ...readConfig({ DATA_DIR: fresh('data') }), ...bucket.env };
  const address = 's3://atelier/kept/backups';
  files = filesAt(address, config);
  const key = await newKey();
  const first = await backUp(key);
  await remove('b.txt');
  writeFileSync(join(files.scratch, '2026-03-09T00-00-00Z.atelier.part'), 'of one that was killed');
  const second = await backUp(key);
  expect(await backupsIn(files)).toEqual([first, second]);
  expect(await backupAt(`${address}/`, config)).toMatchObject({ file: second });
  expect(await backupAt(`${address}/${basename(first)}`, config)).toMatchObject({ file: first });
  expect(await filesOf(first, key)).toMatchObject({ 'b.txt': 'the second file' });
  const { dropOld, close } = await openBackupFolder(files, key);
  await dropOld({ keep: 1, bytes: Number.POSITIVE_INFINITY });
  close();
  const [shared = '', ...more] = await files.list('kept/backups/files', true);
  expect([await backupsIn(files), await files.list('kept/backups'), more]).toEqual([
    [second],
    [second, `${second}.files`],
    [],
  ]);
  expect(await filesOf(second, key)).toEqual({ 'a.txt': 'the first file', 'copy-of-a.txt': 'the first file' });
  await files.remove(shared);
  await expect(filesOf(second, key)).rejects.toThrow(`its file ${shared} is missing, or is damaged`);
  // Nothing is left on this machine.
  expect(await folderAt(files.scratch).list(files.scratch)).toEqual([]);
  expect(() => filesAt('s3://atelier', config)).toThrow('names no folder in a bucket, such as s3://BUCKET/FOLDER');
});

test('deletions are noted in a bucket too, made one file at times, and taken along to another place', async () => {
  const config = readConfig({ DATA_DIR: fresh('data'), BACKUP_DIR: 's3://atelier/noted', ...bucket.env });
  const notes = () => backupsOf(config).list('noted');
  const [first = '', second = '', ...more] = Array.from({ length: 4 }, () => randomUUID());
  const all = new Set([first, second, ...more]);
  const note = (id: string) => JSON.stringify({ kind: 'memory', userId: '1', ids: [id] });
  const noted = async (place = config) =>
    new Set((await deletionsIn(backupsOf(place))).map((deletion) => deletion.ids[0]));
  /** As another process does, between two steps of ours. */
  const tidiedMeanwhile = () => {
    const { open } = backupsOf(config);
    vi.spyOn(backupsOf(config), 'open').mockImplementationOnce(async (path) => {
      await tidyDeletions(filesAt('s3://atelier/noted', config));
      return open(path);
    });
  };
  const month = new Date().toISOString().slice(0, 7);
  const add = (id: string) => backupsOf(config).append(`noted/deletions-${month}.jsonl`, note(id));
  await add(first);
  await add(second);
  tidiedMeanwhile();
  for (const id of more) await noteDeletion({ config, log: silentLog }, { kind: 'memory', userId: '1', ids: [id] });
  expect(await notes()).toHaveLength(2);
  tidiedMeanwhile();
  expect(await noted()).toEqual(all);
  await add(first);
  await backupsOf(config).put(`noted/deletions-2020-01.jsonl.${randomUUID()}`, '{}');
  await tidyDeletions(backupsOf(config));
  expect(await notes()).toHaveLength(1);
  const home = readConfig({ DATA_DIR: fresh('data') });
  expect(await takeDeletions(backupsOf(config), home)).toBe(5);
  // A bucket's notes, copied into a folder.
  writeFileSync(join(backupsOf(home).folder, `deletions-${month}.jsonl.${randomUUID()}`), note(first));
  await tidyDeletions(backupsOf(home));
  expect(await backupsOf(home).list(backupsOf(home).folder)).toHaveLength(1);
  expect(await noted(home)).toEqual(all);
});
