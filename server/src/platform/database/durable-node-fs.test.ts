import { fdatasyncSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillDataFolder } from '../../testing/database.ts';
import { temporaryFolder } from '../../testing/lifetimes.ts';
import { openDurablePglite } from './durable-node-fs.ts';
import { startFlusher } from './flush/flusher.ts';
import { syncDirectory } from './folder/sync-tree.ts';

/** Flushes of the log by another thread, and of whatever else on this one. */
let flushes = 0;
let synced = 0;
const directories: string[] = [];
let broken = false;
let hold: Promise<void> = Promise.resolve();
const failures: unknown[] = [];

const { folder } = temporaryFolder('fsync');
fillDataFolder(folder);
const file = (fd: number) => {
  synced += 1;
  fdatasyncSync(fd);
};
const startCounting = () => {
  const { flush, end } = startFlusher();
  const counted = async (descriptors: number[]) => {
    if (broken) throw new Error('the disk is on fire');
    flushes += 1;
    await hold;
    await flush(descriptors);
  };
  return { flush: counted, end };
};
const directory = (path: string) => {
  directories.push(path);
  syncDirectory(path);
};
const calls = { file, directory, startFlusher: startCounting };
const pglite = await openDurablePglite(join(folder, 'db'), calls, (error) => failures.push(error));
await pglite.exec('create table notes (id int primary key)');

test('a commit is one flush, however many statements it holds, and a read is none', async () => {
  const before = flushes;
  for (let id = 1; id <= 5; id += 1) await pglite.query('insert into notes values ($1)', [id]);
  expect(flushes - before).toBe(5);
  await pglite.transaction(async (tx) => {
    for (let id = 6; id <= 10; id += 1) await tx.query('insert into notes values ($1)', [id]);
  });
  expect(flushes - before).toBe(6);
  await pglite.query('select * from notes');
  expect(flushes - before).toBe(6);
});

test('nobody hears of a commit that is not on the disk, and those who wait meanwhile share the next flush', async () => {
  let release = () => {};
  hold = new Promise((resolve) => {
    release = resolve;
  });
  const before = flushes;
  const ended: string[] = [];
  const note = (name: string, work: Promise<unknown>) => work.then(() => ended.push(name));
  const first = note('first', pglite.query('insert into notes values (11)'));
  await expect.poll(() => flushes - before).toBe(1);
  const others = [12, 13, 14].map((id) => note('other', pglite.query('insert into notes values ($1)', [id])));
  let seen = false;
  const reader = note(
    'reader',
    pglite.query('select 1 from notes where id = 14').then(({ rows }) => expect(rows).toEqual([{ '?column?': 1 }])),
  );
  const transaction = note(
    'transaction',
    pglite.transaction(async (tx) => {
      seen = (await tx.query('select 1 from notes where id = 14')).rows.length === 1;
    }),
  );
  await expect.poll(() => seen).toBe(true);
  expect(ended).toEqual([]);
  release();
  await Promise.all([first, ...others, reader, transaction]);
  expect(flushes - before).toBe(2);
});

test('nothing but the log is changed before the log is on the disk', async () => {
  let release = () => {};
  hold = new Promise((resolve) => {
    release = resolve;
  });
  const before = [flushes, synced] as const;
  const writer = pglite.query('insert into notes values (15)');
  await expect.poll(() => flushes - before[0]).toBe(1);
  expect(synced).toBe(before[1]);
  // It writes pages of tables and the file that says where recovery begins.
  const checkpoint = pglite.exec('checkpoint');
  await checkpoint;
  expect(synced).toBeGreaterThan(before[1]);
  release();
  await writer;
  hold = Promise.resolve();
});

test('a directory is flushed as one', async () => {
  await pglite.exec('create table more (id int); drop table more; checkpoint');
  expect(directories).not.toEqual([]);
});

test('PostgreSQL itself knows that it is to flush', async () => {
  const { rows } = await pglite.query(
    `select name, setting from pg_settings
     where name in ('fsync', 'wal_sync_method', 'synchronous_commit', 'full_page_writes') order by name`,
  );
  expect(rows).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'wal_sync_method', setting: 'fsync' },
  ]);
});

test('bytes come back as they were', async () => {
  const bytes = Buffer.from([0, 1, 127, 128, 255]);
  const { rows } = await pglite.query<{ bytes: Buffer }>('select $1::bytea as bytes', [bytes]);
  expect(rows[0]?.bytes).toEqual(bytes);
});

// Last, for PostgreSQL has stopped afterwards.
test('a commit that the disk refuses is rejected, the failure is told, and what was acknowledged is there afterwards', async () => {
  broken = true;
  await expect(pglite.query('insert into notes values (99)')).rejects.toThrow(/could not fsync/);
  expect(failures).toEqual([new Error('the disk is on fire')]);
  // Each would otherwise spin for ever, and the whole process with it.
  const stopped = { code: '57P02', message: 'The embedded database has stopped.' };
  await expect(pglite.query('select 1')).rejects.toMatchObject(stopped);
  await expect(pglite.transaction((tx) => tx.query('select 1'))).rejects.toMatchObject(stopped);
  await expect(pglite.exec('select 1; select 2')).rejects.toMatchObject(stopped);
  const again = await openDurablePglite(join(folder, 'db'));
  expect((await again.query('select id from notes where id <= 10')).rows).toHaveLength(10);
  await again.close();
});
