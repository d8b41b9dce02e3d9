import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { Encrypter } from 'age-encryption';
import { afterAll, expect, test, vi } from 'vitest';
import { type Config, readConfig } from '../../config.ts';
import { PURGE_FILE_QUEUE } from '../../features/files/files.service.ts';
import { countAccounts, listToSetUp, SEALED } from '../../features/operator/backup.service.ts';
import { fillDataFolder } from '../../testing/database.ts';
import { isNightly } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { fullAccount } from '../../testing/every-route.ts';
import { testApp } from '../../testing/harness.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { bringTo, SHIPPED } from '../../testing/old-database.ts';
import { startOwnBucket } from '../../testing/own-bucket.ts';
import { startOwnPostgres } from '../../testing/own-postgres.ts';
import { connectCommands, serveCommands } from '../command-socket.ts';
import { secretsIn } from '../database/folder/data-folder.ts';
import { openDatabase } from '../database/open-database.ts';
import { silentLog } from '../log.ts';
import { createStorage, filesPlace } from '../storage/storage.ts';
import { filesAt } from './backup-files.ts';
import { answerBaseBackup } from './embedded-source.ts';
import type { Manifest } from './format.ts';
import { openFolderOf, openSource, placeOf } from './installation.ts';
import { portablePglite } from './portable.ts';
import { connectPostgres } from './postgres-source.ts';
import { type Contents, readBackup } from './read-backup.ts';
import { type RestoreTarget, restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const config = (env: Record<string, string>) =>
  readConfig({ AUTH_SECRET: 'a secret for tests only, long enough', ...env });
const freshFolder = () => config({ DATA_DIR: fresh('place') });

/** Backs up as the command does. */
async function backUp(from: Config, passphrase?: string): Promise<string> {
  const file = fresh('backup');
  const opened = await openSource(from, SEALED);
  try {
    await writeBackup(opened, file, { passphrase });
  } finally {
    await opened.database.close();
  }
  return file;
}

const restore = (file: string, to: Config, passphrase?: string) =>
  restoreBackup(file, placeOf(to), countAccounts, { passphrase });

/** The same rows in another order have another hash of the whole. */
const rowsOf = ({ tables, files }: Manifest) => ({
  files: { count: files.count, bytes: files.bytes },
  tables: tables.map(({ name, rows, rowsHash }) => [name, rows, rowsHash]),
});

const addPrompt = (name: string, text: string) =>
  app.request('POST', '/api/prompts', { as: ada, body: { name, text } });

const PASSPHRASE = 'correct horse battery';

const setPassphrase = Encrypter.prototype.setPassphrase;
vi.spyOn(Encrypter.prototype, 'setPassphrase').mockImplementation(function (this: Encrypter, passphrase) {
  setPassphrase.call(this, passphrase);
  // An attacker who guesses passphrases waits a second for each; the format tells the reader how hard it was.
  this.setScryptWorkFactor(10);
});
const { folder, fresh } = temporaryFolder('backup-test');
const data = join(folder, 'data');
mkdirSync(data);
fillDataFolder(data);
const source = config({ DATA_DIR: data });
const { database } = await openDatabase({ config: source, log: silentLog });
afterAll(() => database.close());
const app = await closing(testApp({ env: { DATA_DIR: data }, database }));
const stopCommands = await serveCommands({
  folder: data,
  log: silentLog,
  run: async (args, gone) => (await answerBaseBackup(database.baseBackup)(args, gone)) ?? { ok: false, message: 'no' },
});
const { owner: ada } = await fullAccount(app);
await addPrompt('Odd characters', 'a\tb\\N \\. \n\r"q" \u{1f300} \u2028');
const { db, jobs } = app.deps;
await db.transaction((tx) => jobs.send(tx, PURGE_FILE_QUEUE, { fileId: 'none' }, { startAfterSeconds: 3600 }));
const server = await closing(startOwnPostgres());
const bucket = await closing(startOwnBucket(folder));
/** Of the full account, not encrypted. */
const whole = await backUp(source);
afterAll(stopCommands);
afterAll(() => void vi.restoreAllMocks());

/** The rows of a table in a backup, as COPY writes them. */
async function rowsIn(file: string, name: string, passphrase?: string): Promise<string> {
  let text = '';
  const table = async (of: { name: string }, rows: AsyncIterable<Uint8Array>) => {
    for await (const chunk of rows) if (of.name === name) text += Buffer.from(chunk).toString('latin1');
  };
  await readBackup(file, { table }, { passphrase });
  return text;
}

async function filesIn(place: Config): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of createStorage(place).list('userFiles')) keys.push(key);
  return keys;
}

const addFile = (place: Config) => createStorage(place).putStream('userFiles/left', Readable.from('left'), 4);

/** As a restore that was killed leaves a folder. */
function leaveRestoring({ DATA_DIR }: Config, storage: string): void {
  mkdirSync(join(DATA_DIR, 'restoring'), { recursive: true });
  writeFileSync(join(DATA_DIR, 'restoring.files'), storage);
}

/** The place, with a storage that fails at the nth file. */
function failingAt(nth: number, to: Config): RestoreTarget {
  const storage = createStorage(to);
  let stored = 0;
  const putStream: typeof storage.putStream = async (...file) => {
    stored += 1;
    if (stored === nth) throw new Error('the bucket is away');
    await storage.putStream(...file);
  };
  return { ...placeOf(to), storage: { ...storage, putStream } };
}

// The next tests continue each other: from embedded to PostgreSQL with a bucket, and back.
let first: Contents;
let there: Config;
let second: string;
let back: Config;

test('a backup of the embedded database is restored into PostgreSQL and a bucket: every table and file is the same', async () => {
  first = await readBackup(whole);
  const { count } = first.manifest.files;
  expect(count).toBeGreaterThan(1);
  await server.ask('create database moved');
  const url = server.url.replace(/\/postgres$/u, '/moved');
  there = config({ DATABASE_URL: url, DATA_DIR: fresh('unused'), ...bucket.env });
  // What fails at the last file leaves nothing, and can be repeated.
  await expect(restoreBackup(whole, failingAt(count, there), countAccounts)).rejects.toThrow('the bucket is away');
  expect(await filesIn(there)).toEqual([]);
  // What a killed one left is no one's.
  const killed = placeOf(there);
  await killed.take();
  await killed.prepare();
  await addFile(there);
  await server.terminateAll();
  expect((await eventually(() => restore(whole, there))).answer).toBe(2);
  second = await backUp(there, PASSPHRASE);
  expect(rowsOf((await readBackup(second, {}, { passphrase: PASSPHRASE })).manifest)).toEqual(rowsOf(first.manifest));
});

test('an encrypted backup of PostgreSQL and a bucket is restored into the embedded database: every table and file is the same, and the secrets', async () => {
  back = freshFolder();
  if (isNightly) {
    const failing = failingAt(first.manifest.files.count, back);
    const options = { passphrase: PASSPHRASE };
    await expect(restoreBackup(second, failing, countAccounts, options)).rejects.toThrow('the bucket is away');
  }
  const left = ['db', 'restoring'].filter((name) => existsSync(join(back.DATA_DIR, name)));
  expect([await filesIn(back), left]).toEqual([[], []]);
  leaveRestoring(back, filesPlace(back));
  await addFile(back);
  await restore(second, back, PASSPHRASE);
  expect(secretsIn(back.DATA_DIR)).toContain(there.AUTH_SECRET);
  const third = await readBackup(await backUp(back));
  expect(rowsOf(third.manifest)).toEqual(rowsOf(first.manifest));
});

test('a server starts on what was restored, and has the job that was not done yet', async () => {
  const { database } = await openDatabase({ config: back, log: silentLog });
  const waiting = `select data from pgboss.job_common where name = '${PURGE_FILE_QUEUE}' and start_after > now() + interval '50 minutes'`;
  expect((await database.executeSql(waiting)).rows).toEqual([{ data: { fileId: 'none' } }]);
  await database.close();
});

test('a place that has something in it or whose server runs is refused, and of two backups at once the second', async () => {
  await expect(restore(whole, there)).rejects.toThrow('DATABASE_URL is not empty');
  await server.ask('create database other');
  const other = { ...there, DATABASE_URL: server.url.replace(/\/postgres$/u, '/other') };
  await expect(restore(whole, other)).rejects.toThrow('There are uploaded files already');
  // Those of a bucket in use aren't what a restore left that filled another storage.
  const client = await connectPostgres(other.DATABASE_URL);
  const mark = `create schema atelier_restoring; comment on schema atelier_restoring is 'the folder elsewhere'`;
  await client.query(mark).finally(() => client.end());
  await expect(restore(whole, other)).rejects.toThrow('There are uploaded files already');
  const beside = config({ DATA_DIR: fresh('place'), ...bucket.env });
  leaveRestoring(beside, filesPlace(back));
  await expect(restore(whole, beside)).rejects.toThrow('There are uploaded files already');
  await expect(restore(whole, back)).rejects.toThrow('There is a database in');
  await expect(restore(whole, source)).rejects.toThrow('is in use by process');
  expect(await filesIn(there)).toHaveLength(first.manifest.files.count);
  for (const installation of [there, source]) {
    const open = await openSource(installation, SEALED);
    await expect(openSource(installation, SEALED)).rejects.toThrow('Another backup is being made here');
    await open.database.close();
  }
  // Two machines have nothing in common but the database and the bucket.
  const openAt = (machine: Config) => openFolderOf(machine, filesAt('s3://atelier/kept', machine), undefined);
  const open = await openAt(there);
  await expect(openAt({ ...there, DATA_DIR: fresh('machine') })).rejects.toThrow('Another backup is being made here');
  await open.close();
});

test('a server goes on when a backup of it is killed while it copies, and the next one is made', async () => {
  const killed = await connectCommands(source.DATA_DIR);
  expect(await killed?.send(['backup-begin'])).toMatchObject({ ok: true });
  await expect(backUp(source)).rejects.toThrow('Another backup is being made');
  killed?.close();
  await eventually(() => backUp(source));
});

test('people write while a backup is made: all that was acknowledged before is in it, and nothing has a gap', async () => {
  let written = 0;
  let isDone = false;
  const write = async () => {
    while (!isDone) {
      const row = `values ('row ${written}', 'row ${written}', 0, 0)`;
      await app.deps.database.executeSql(`insert into rate_limit (id, key, count, last_request) ${row}`);
      written += 1;
      // Without a pause, the copy would hardly get a turn in this process.
      await setTimeout(5);
    }
  };
  const writing = write();
  await eventually(() => expect(written).toBeGreaterThan(20));
  const before = written;
  const file = await backUp(source);
  isDone = true;
  await writing;
  const numbers = [...(await rowsIn(file, 'rate_limit')).matchAll(/^0\trow (\d+)/gmu)].map(([, number]) =>
    Number(number),
  );
  expect(numbers.length).toBeGreaterThanOrEqual(before);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([...numbers.keys()]);
  await app.deps.database.executeSql('delete from rate_limit');
});

test('an encrypted backup has what only the secret opens, and one that is not has none of it', async () => {
  const sealed = await backUp(source, PASSPHRASE);
  await expect(readBackup(sealed)).rejects.toThrow('This backup is encrypted');
  await expect(readBackup(sealed, {}, { passphrase: 'wrong' })).rejects.toThrow(
    'The passphrase is not that of this backup',
  );
  expect(await rowsIn(sealed, 'mcp_servers', PASSPHRASE)).toContain('secret-code');
  expect(await rowsIn(whole, 'mcp_servers')).not.toContain('secret-code');
  expect(readFileSync(sealed).includes(secretsIn(source.DATA_DIR)[0] ?? '')).toBe(false);
});

test.runIf(isNightly)(
  'a backup of an older version is loaded with its schema and then brought up to date, also after a restore that was killed; without the secret it says what to set up again',
  async () => {
    const place = freshFolder();
    leaveRestoring(place, filesPlace(place));
    await expect(openDatabase({ config: place, log: silentLog })).rejects.toThrow('was interrupted. Run it again');
    const pglite = await PGlite.create();
    for (const migration of SHIPPED.slice(0, -12)) await bringTo(portablePglite(pglite), migration);
    await pglite.exec(`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.com');
    insert into mcp_servers (user_id, id, key, name, url, tools) values ('ada', gen_random_uuid(), 'key', 'Mine', 'https://example.com', '[]')`);
    const database = portablePglite(pglite);
    const file = fresh('old');
    await writeBackup({ database, storage: createStorage(place), secrets: [], sealed: {} }, file);
    await pglite.close();
    const { answer } = await restoreBackup(file, placeOf(place), listToSetUp);
    expect(answer).toEqual(['tool server “Mine” of ada@example.com']);
    expect(secretsIn(place.DATA_DIR)).toHaveLength(1);
    expect(secretsIn(place.DATA_DIR)).not.toEqual(secretsIn(source.DATA_DIR));
  },
);

test('what can’t be written or read says so in a sentence', async () => {
  await expect(backUp(freshFolder())).rejects.toThrow('There is no database in');
  const opened = await openSource(source, SEALED);
  await expect(writeBackup(opened, whole)).rejects.toThrow('exists already');
  await expect(writeBackup(opened, join(folder, 'none', 'backup'))).rejects.toThrow('can’t be written');
  const full = fresh('full');
  symlinkSync('/dev/full', `${full}.part`);
  await expect(writeBackup(opened, full)).rejects.toThrow('its disk is full');
  expect([existsSync(full), existsSync(`${full}.part`)]).toEqual([false, false]);
  const get = async (key: string) => {
    const file = await opened.storage.get(key);
    return file.on('newListener', (event) => event === 'readable' && file.destroy(new Error('the bucket is away')));
  };
  const broken = { ...opened, storage: { ...opened.storage, get } };
  await expect(writeBackup(broken, full)).rejects.toThrow('can’t be read');
  await opened.database.close();
  expect(existsSync(full)).toBe(false);
  symlinkSync('/dev/full', join(source.DATA_DIR, 'backups', 'lock.owner.new'));
  await expect(openSource(source, SEALED)).rejects.toThrow('is full, so the database can’t be opened');
  const png = fresh('picture');
  writeFileSync(png, '\u0089PNG');
  await expect(readBackup(png)).rejects.toThrow('is no backup of this program');
  await expect(readBackup(fresh('nothing'))).rejects.toThrow('The backup can’t be read');
  await expect(readBackup(folder)).rejects.toThrow('The backup can’t be read');
});
