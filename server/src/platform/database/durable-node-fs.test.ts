import { fdatasyncSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDataFolder } from '../../testing/database.ts';
import { openDurablePglite } from './durable-node-fs.ts';
import { syncDirectory } from './folder/sync-tree.ts';

let folder: string;
let pglite: PGlite;
let synced = 0;
let broken = false;
const failures: unknown[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-fsync-'));
  fillDataFolder(folder);
  const file = (fd: number) => {
    if (broken) throw new Error('the disk is on fire');
    synced += 1;
    fdatasyncSync(fd);
  };
  const onFailure = (error: unknown) => failures.push(error);
  pglite = await openDurablePglite(join(folder, 'db'), { file, directory: syncDirectory }, onFailure);
  await pglite.exec('create table notes (id int primary key)');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a commit is one flush, however many statements it holds, and a read is none', async () => {
  const before = synced;
  for (let id = 1; id <= 5; id += 1) await pglite.query('insert into notes values ($1)', [id]);
  expect(synced - before).toBe(5);
  await pglite.transaction(async (tx) => {
    for (let id = 6; id <= 10; id += 1) await tx.query('insert into notes values ($1)', [id]);
  });
  expect(synced - before).toBe(6);
  await pglite.query('select * from notes');
  expect(synced - before).toBe(6);
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
