import { mkdtempSync, rmSync } from 'node:fs';
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
