import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillDataFolder } from '../../testing/database.ts';
import { silentLog } from '../log.ts';
import type { Database } from './database.ts';
import { openDurablePglite } from './durable-node-fs.ts';
import { openEmbedded } from './pglite.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-embedded-'));
  fillDataFolder(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = async (): Promise<Database> => (await openEmbedded(folder, silentLog)).database;
const names = async (database: Database) =>
  (await database.executeSql('select name from "user" order by name')).rows.map((row) => row.name);
const addUser = (database: Database, name: string) =>
  database.executeSql(`insert into "user" (id, name, email) values ($1, $1, $1)`, [name]);

test('the way back that the log describes leads back: a backup unpacked is the data of before', async () => {
  const first = await open();
  await addUser(first, 'before');
  // As if a newer version had brought a newer schema for its jobs.
  await first.executeSql('update pgboss.version set version = 1');
  await first.close();

  const second = await open();
  await addUser(second, 'after');
  await second.close();
  const [backup] = readdirSync(join(folder, 'backups'));
  expect(backup).toMatch(/-before-jobs-1-to-\d+\.tar\.gz$/);

  rmSync(join(folder, 'db'), { recursive: true });
  mkdirSync(join(folder, 'db'));
  const unpacked = spawnSync('tar', ['xzf', join(folder, 'backups', backup ?? ''), '-C', join(folder, 'db')]);
  expect(unpacked.status).toBe(0);
  const third = await open();
  expect(await names(third)).toEqual(['before']);
  await third.close();
});

test('an older version leaves a folder of a newer one as it is, functions too', async () => {
  const newer = await open();
  await newer.executeSql(`
    insert into drizzle.__drizzle_migrations (hash, created_at) select 'of a later version', max(created_at) + 1 from drizzle.__drizzle_migrations;
    create or replace function atelier_is_in_flight(_status text) returns boolean language sql immutable as 'select true'`);
  await newer.close();
  await expect(open()).rejects.toThrow('newer version');
  const kept = await openDurablePglite(join(folder, 'db'));
  expect((await kept.query(`select atelier_is_in_flight('done') as answer`)).rows).toEqual([{ answer: true }]);
  await kept.close();
});
