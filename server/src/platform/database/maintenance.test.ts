import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { isNightly } from '../../testing/effort.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { silentLog } from '../log.ts';
import { NO_SYNC, openDurablePglite } from './durable-node-fs.ts';
import { startMaintenance } from './maintenance.ts';

const MB = 1024 * 1024;

const { folder } = temporaryFolder('growth');
// What is counted here is bytes: flushing each of thousands of commits would only take time.
const pglite = await closing(openDurablePglite(folder, NO_SYNC));
const maintenance = await closing(startMaintenance(pglite, silentLog));
beforeEach(async () => void (await settled()));

const bytesIn = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** Takes turns until nothing is due. */
async function settled(): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const statement = await maintenance.step();
    if (statement === undefined) return done;
    done.push(statement);
    if (done.length > 50) throw new Error(`maintenance finds no end: ${done.join('; ')}`);
  }
}

test.runIf(isNightly)(
  'a thousand edits of long texts leave a folder of bounded size, and so does the log of them',
  async () => {
    await pglite.exec(`create table prompts (id int primary key, prompt text);
      insert into prompts select i, '' from generate_series(1, 6) i`);
    const before = bytesIn(folder);
    for (let edit = 0; edit < 1_000; edit += 1) {
      const prompt = randomBytes(30_000).toString('hex');
      await pglite.query('update prompts set prompt = $1 where id = $2', [prompt, 1 + (edit % 6)]);
      // About every megabyte.
      if (edit % 17 === 0) await maintenance.step();
    }
    await settled();
    // Of 60 MB of texts and more of log, next to nothing is left.
    expect(bytesIn(folder) - before).toBeLessThan(80 * MB);
    expect(bytesIn(join(folder, 'pg_wal'))).toBeLessThanOrEqual(64 * MB);
  },
);

test('a table that grows has statistics and is swept, a large one without its indexes; nothing is done twice', async () => {
  await pglite.exec(`create table small (id int primary key); insert into small select generate_series(1, 5000);
      create table large (id int primary key, text text);
      insert into large select i, 'some words' from generate_series(1, 30000) i`);
  const first = await settled();
  for (const table of ['small', 'large']) {
    expect(first).toContain(`analyze public.${table}`);
    expect(first.filter((statement) => statement.startsWith('vacuum') && statement.endsWith(table))).toHaveLength(1);
  }
  expect(await settled()).toEqual([]);
  const isAsked = async () => {
    for (let i = 0; i < 20; i += 1) await pglite.query('select 1');
    await pglite.query('select pg_stat_force_next_flush()');
  };
  const busy: (string | undefined)[] = [];
  // However much is dead: one large account that goes would make everybody wait.
  for (const which of ['id % 2 = 0', 'id % 4 = 1', 'true']) {
    await pglite.exec(`delete from small where ${which}; delete from large where ${which}`);
    for (let turn = 0; turn < 6; turn += 1) {
      await isAsked();
      busy.push(await maintenance.step());
    }
  }
  expect(busy).toEqual(
    expect.arrayContaining(['vacuum (index_cleanup auto) public.small', 'vacuum (index_cleanup off) public.large']),
  );
  const cleaned = 'vacuum (index_cleanup auto) public.large';
  expect(busy).not.toContain(cleaned);
  const quiet: (string | undefined)[] = [];
  for (let turn = 0; turn < 20; turn += 1) quiet.push(await maintenance.step());
  expect(quiet.indexOf(cleaned)).toBeGreaterThanOrEqual(10);
  expect(quiet.filter((statement) => statement === cleaned)).toHaveLength(1);
  expect(await settled()).toEqual([]);
});

test('while nothing is written, the tables are not looked at again', async () => {
  await pglite.exec('create table words (id int primary key); insert into words values (1)');
  await settled();
  const asked: string[] = [];
  const query = pglite.query.bind(pglite);
  const counted = vi.spyOn(pglite, 'query').mockImplementation((text, ...rest) => {
    asked.push(text);
    return query(text, ...rest);
  });
  const looks = () => asked.filter((text) => text.includes('pg_stat_user_tables')).length;
  for (let turn = 0; turn < 3; turn += 1) expect(await maintenance.step()).toBeUndefined();
  expect(looks()).toBe(0);
  await pglite.exec('insert into words values (2)');
  for (let turn = 0; turn < 3; turn += 1) expect(await maintenance.step()).toBeUndefined();
  expect(looks()).toBe(1);
  counted.mockRestore();
});
