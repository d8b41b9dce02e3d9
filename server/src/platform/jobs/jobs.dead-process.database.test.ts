import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyJobs, openTestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { closing } from '../../testing/lifetimes.ts';
import type { Database } from '../database/database.ts';
import { silentLog as log } from '../log.ts';
import { createJobs } from './jobs.pg-boss.ts';
import type { Jobs, NewJob } from './jobs.ts';

let jobs: Jobs;
let done: string[];

const record = async ({ id }: { id: string }) => void done.push(id);
const send = (job: NewJob) => database.db.transaction((tx) => jobs.sendAll(tx, [job]));

const database = await closing(openTestDatabase());

beforeEach(() => {
  done = [];
  jobs = createJobs({ database, log });
});

afterEach(async () => {
  await jobs.stop();
  await emptyJobs(database);
});

test('a stop while a job runs leaves it to the next process, which does it when its pause is over', async () => {
  jobs.handle('test.record', () => new Promise(() => {}));
  await jobs.start();
  await send({ queue: 'test.record', data: { id: 'interrupted' } });
  const state = async () =>
    (await database.executeSql(`select state from pgboss.job where name = 'test.record'`)).rows[0]?.state;
  await eventually(async () => expect(await state()).toBe('active'));
  await jobs.stop();
  expect(await state()).toBe('retry');
  jobs = createJobs({ database, log });
  jobs.handle('test.record', record);
  await jobs.start();
  await eventually(() => expect(done).toEqual(['interrupted']));
});

describe('a job whose process died', () => {
  const tries = async () =>
    (await database.executeSql(`select state, retry_count as tries from pgboss.job where name = 'test.record'`)).rows;
  /** A process that takes the job and never ends it. */
  async function takeForEver(more: { lookMs?: number } = {}) {
    jobs = createJobs({ database, log, ...more });
    jobs.handle('test.record', () => new Promise(() => {}));
    await jobs.start();
    await send({ queue: 'test.record', data: { id: 'left' } });
    await eventually(async () => expect(await tries()).toMatchObject([{ state: 'active' }]));
  }

  test('is taken up by the next one soon, with an attempt used', async () => {
    await takeForEver();
    const next = createJobs({ database, log, lookMs: 50 });
    next.handle('test.record', record);
    await next.start();
    await eventually(() => expect(done).toEqual(['left']));
    await eventually(async () => expect(await tries()).toEqual([{ state: 'completed', tries: 1 }]));
    await next.stop();
  });

  // On the embedded database there is no other process.
  test.runIf(process.env.TEST_DATABASE_URL !== undefined)('is not one that gives signs of life', async () => {
    await takeForEver({ lookMs: 600 });
    const looked: string[] = [];
    const executeSql: Database['executeSql'] = (text, values) => {
      if (text.includes('as sign')) looked.push(text);
      return database.executeSql(text, values);
    };
    const other = createJobs({ database: { ...database, executeSql }, log, lookMs: 600 });
    other.handle('test.record', record);
    await other.start();
    await eventually(() => expect(looked.length).toBeGreaterThan(4));
    expect([done, await tries()]).toEqual([[], [{ state: 'active', tries: 0 }]]);
    await other.stop();
  });
});
