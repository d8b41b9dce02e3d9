import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { onDatabase } from '../../admin-database.ts';
import { type Config, readConfig } from '../../config.ts';
import { PURGE_FILE_QUEUE } from '../../features/files/files.service.ts';
import { countSince } from '../../features/operator/backup.service.ts';
import { fillDataFolder } from '../../testing/database.ts';
import { effort, isNightly } from '../../testing/effort.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { bringTo, SCHEMA, SHIPPED } from '../../testing/old-database.ts';
import { startOwnBucket } from '../../testing/own-bucket.ts';
import { startOwnPostgres } from '../../testing/own-postgres.ts';
import { NO_SYNC, openDurablePglite } from '../database/durable-node-fs.ts';
import { addSecrets } from '../database/folder/data-folder.ts';
import { openDatabase } from '../database/open-database.ts';
import { changeRecord, readRecord } from '../database/record.ts';
import { makeJobStore } from '../jobs/jobs.pg-boss.ts';
import { silentLog } from '../log.ts';
import { createStorage, filesPlace } from '../storage/storage.ts';
import { findWay, follow } from './go-back.ts';
import { type ExclusiveDatabase, holdDatabase } from './hold-database.ts';
import { move, stay } from './move.ts';
import { portablePglite, portablePostgres, tablesOf } from './portable.ts';
import { connectPostgres } from './postgres-source.ts';
import { sumTable } from './restore-backup.ts';

const config = (env: Record<string, string>) =>
  readConfig({ AUTH_SECRET: 'a secret for tests only, long enough', ...env });

const { folder, fresh } = temporaryFolder('moves');
const server = await closing(startOwnPostgres());
const bucket = await closing(startOwnBucket(folder, 'moved'));

/** A database of a place as it stood some migrations ago, with Ada in it and its functions of then. */
async function makeOlder(place: Config, lacking: number): Promise<void> {
  if (place.DATABASE_URL === undefined) mkdirSync(place.DATA_DIR);
  const client = place.DATABASE_URL === undefined ? undefined : await connectPostgres(place.DATABASE_URL);
  const database =
    client === undefined
      ? portablePglite(await openDurablePglite(join(place.DATA_DIR, 'db'), NO_SYNC))
      : portablePostgres(client);
  for (const migration of SHIPPED.slice(0, -lacking)) await bringTo(database, migration);
  await makeJobStore(database, [PURGE_FILE_QUEUE]);
  await database.executeSql(`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.com')`, []);
  await database.close();
  if (client === undefined) addSecrets(place.DATA_DIR, ['s'.repeat(32)]);
}

async function freshPlace(kind: string, more: Record<string, string> = {}): Promise<Config> {
  if (kind === 'embedded') return config({ DATA_DIR: fresh('place'), ...more });
  const name = fresh('db').split('/').at(-1)?.replace('-', '') ?? '';
  await server.ask(`create database ${name}`);
  return config({ DATABASE_URL: server.url.replace(/\/postgres$/u, `/${name}`), DATA_DIR: fresh('place'), ...more });
}

/** Does something in a place that no server uses. */
async function inside<T>(place: Config, work: (held: ExclusiveDatabase) => Promise<T>): Promise<T> {
  const held = await holdDatabase(place);
  return work(held).finally(held.release);
}

const serve = (place: Config) => openDatabase({ config: place, log: silentLog });
const travel = (place: Config, kind: 'back' | 'forward') =>
  inside(place, async (held) => follow(place, held, await findWay(place, held.database, kind)));
/** What the migrations made, and who is there. */
const stateOf = (place: Config) =>
  inside(place, async ({ database: { executeSql } }) => {
    const { rows } = await executeSql('select name from "user" order by 1', []);
    return { schema: (await executeSql(SCHEMA, [])).rows, people: rows.map(({ name }) => name) };
  });

test.each(effort(['PostgreSQL'], ['embedded', 'PostgreSQL']))(
  'an upgrade of %s is taken back and done again, and nothing that was written is lost',
  async (kind) => {
    const place = await freshPlace(kind);
    await makeOlder(place, 5);
    const { schema } = await stateOf(place);
    const asking = onDatabase({ config: place, args: ['inbox'], environment: {} });
    await expect(asking).rejects.toThrow('Start the server of this version first');
    expect((await stateOf(place)).schema).toEqual(schema);
    const { database } = await serve(place);
    await database.listen('anything', () => {});
    await expect(stateOf(place)).rejects.toThrow(kind === 'embedded' ? 'is in use by' : 'Stop every server');
    await database.executeSql(`insert into "user" (id, name, email) values ('bob', 'Bob', 'bob@example.com')`);
    expect(await countSince(database, (await readRecord(database)).upgrade?.at ?? '')).toEqual(['1 accounts']);
    await database.close();
    const newer = await stateOf(place);
    await expect(travel(place, 'forward')).rejects.toThrow('No upgrade was taken back');
    await travel(place, 'back');
    // Just as the version before left it, so that version serves; this one refuses.
    expect(await stateOf(place)).toEqual({ schema, people: ['Ada'] });
    const [before, first] = SHIPPED.slice(-6).map(({ name }) => name);
    await expect(serve(place)).rejects.toThrow(
      new RegExp(`by ${first}, .* was taken back .* Start the version whose last migration is ${before}`, 'u'),
    );
    await travel(place, 'forward');
    expect(await stateOf(place)).toEqual(newer);
    await travel(place, 'back');
    await inside(place, (held) => changeRecord(held.database, { wentBack: undefined }));
    await (await serve(place)).database.close();
    expect(await stateOf(place)).toEqual({ ...newer, people: ['Ada'] });
  },
);

test('a move to PostgreSQL and a bucket, and back, leaves each place as it was and unused', async () => {
  const from = config({ DATA_DIR: fresh('place') });
  mkdirSync(from.DATA_DIR);
  fillDataFolder(from.DATA_DIR);
  const running = await serve(from);
  await running.database.executeSql(`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.com')`);
  const stored = new Map(['one', 'two'].map((name) => [`userFiles/ada/${name}`, `What is in ${name}.`]));
  for (const [key, content] of stored) await createStorage(from).putStream(key, Readable.from(content), content.length);
  const to = { ...(await freshPlace('PostgreSQL', bucket.env)), DATA_DIR: from.DATA_DIR };
  await expect(move(from, to)).rejects.toThrow('is in use by process');
  await running.database.close();
  const all = await contentsOf(from);
  expect(all.files).toEqual(stored);
  // Left by one that was stopped: a file half-written, and one that was deleted since.
  const stop = () => {
    throw new Error('stopped');
  };
  await expect(move(from, to, stop)).rejects.toThrow('stopped');
  const [[key = '', whole = ''] = []] = stored;
  await createStorage(to).putStream(key, Readable.from(whole.slice(1)), whole.length - 1);
  await createStorage(to).putStream(`${key}-deleted`, Readable.from(whole), whole.length);
  expect(await move(from, to)).toMatchObject({ tables: Object.keys(all.tables).length, files: 2 });
  expect(await contentsOf(to)).toEqual(all);
  await expect(serve(from)).rejects.toThrow(/was moved to PostgreSQL at .* npm run move -- --stay/u);
  await expect(serve({ ...to, S3_BUCKET: undefined })).rejects.toThrow(
    'The uploaded files were moved to the bucket moved',
  );
  // As if it had been stopped before its last step.
  const client = await connectPostgres(to.DATABASE_URL ?? '');
  await client.query('create schema atelier_moving').finally(() => client.end());
  await expect(serve(to)).rejects.toThrow('A move into this place was interrupted');
  await move(from, to);
  await (await serve(to)).database.close();
  await stay(from);
  await (await serve(from)).database.close();
  expect(await contentsOf(from)).toEqual(all);
  if (!isNightly) return;
  const home = config({ DATA_DIR: fresh('place') });
  mkdirSync(home.DATA_DIR);
  writeFileSync(join(home.DATA_DIR, 'arriving'), '');
  await expect(serve(home)).rejects.toThrow('A move into this place was interrupted');
  await move(to, home);
  expect(await contentsOf(home)).toEqual(all);
  await (await serve(home)).database.close();
  await expect(serve(to)).rejects.toThrow('was moved to the folder');
});

/** The hash of every table, and every file. */
async function contentsOf(place: Config) {
  const tables: Record<string, string> = {};
  await inside(place, async ({ database }) => {
    for (const table of await tablesOf(database)) tables[table.name] = (await sumTable(database, table)).rowsHash;
  });
  const files = new Map<string, string>();
  const storage = createStorage(place);
  for await (const { key } of storage.list('userFiles')) files.set(key, await text(await storage.get(key)));
  return { tables, files };
}

async function keysIn(place: Config): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of createStorage(place).keys('userFiles', true)) keys.push(key);
  return keys;
}

test('a place with files of somebody else, or with a database, takes no move', async () => {
  const from = config({ DATA_DIR: fresh('place') });
  mkdirSync(from.DATA_DIR);
  fillDataFolder(from.DATA_DIR);
  const toBucket = { ...from, ...bucket.env };
  await expect(move(from, toBucket)).rejects.toThrow('There are other uploaded files already');
  await expect(move(from, from)).rejects.toThrow('already');
  // That one of them is here says nothing: it may have been moved there, and others were added since.
  const before = await keysIn(toBucket);
  await createStorage(from).putStream(before[0] ?? '', Readable.from('one'), 3);
  await expect(move(from, toBucket)).rejects.toThrow('There are other uploaded files already');
  const record = (files: string | undefined) => {
    const at = new Date().toISOString();
    const change = { moving: { to: filesPlace(toBucket) }, files: files === undefined ? files : { at, to: files } };
    return inside(from, ({ database }) => changeRecord(database, change));
  };
  await record(filesPlace(toBucket));
  await expect(move(from, toBucket)).rejects.toThrow(`files were moved to ${filesPlace(toBucket)} already`);
  await record(undefined);
  const full = await freshPlace('PostgreSQL');
  await (await serve(full)).database.close();
  for (const files of [{}, bucket.env])
    await expect(move(from, { ...full, ...files, DATA_DIR: from.DATA_DIR })).rejects.toThrow(
      'DATABASE_URL is not empty',
    );
  expect(await keysIn(toBucket)).toEqual(before);
});
