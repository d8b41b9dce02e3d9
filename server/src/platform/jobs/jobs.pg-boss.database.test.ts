import { DrizzleQueryError } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyJobs, openTestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { closing } from '../../testing/lifetimes.ts';
import { type Log, silentLog } from '../log.ts';
import { createJobs } from './jobs.pg-boss.ts';
import type { Jobs } from './jobs.ts';

let jobs: Jobs;
let done: string[];
let errors: unknown[];

const database = await closing(openTestDatabase());

beforeEach(() => {
  done = [];
  errors = [];
  const log: Log = { ...silentLog, error: (_event, error) => errors.push(error) };
  jobs = createJobs({ database, log });
});

afterEach(async () => {
  await jobs.stop();
  await emptyJobs(database);
});

const record = async ({ id }: { id: string }) => void done.push(id);

test('a job is done if and only if its transaction commits', async () => {
  jobs.handle('test.record', record);
  await jobs.start();
  await database.db.transaction((tx) => jobs.send(tx, 'test.record', { id: 'committed' }));
  const failing = database.db.transaction(async (tx) => {
    await jobs.send(tx, 'test.record', { id: 'rolled back' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await database.db.transaction((tx) => jobs.send(tx, 'test.record', { id: 'last' }));
  await eventually(() => expect(done).toContain('last'));
  expect(done).toEqual(['committed', 'last']);
  expect(errors).toEqual([]);
});

test('a job that fails is tried again', async () => {
  let tries = 0;
  jobs.handle<{ id: string }>('test.flaky', async (job) => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    await record(job);
  });
  await jobs.start();
  await database.db.transaction((tx) => jobs.send(tx, 'test.flaky', { id: 'second' }));
  await eventually(() => expect(done).toEqual(['second']));
  expect(tries).toBe(2);
});

test('a job waits out its delay: it is stored, and not taken before', async () => {
  jobs.handle('test.record', record);
  await jobs.start();
  await database.db.transaction(async (tx) => {
    await jobs.send(tx, 'test.record', { id: 'in an hour' }, { startAfterSeconds: 3_600 });
    await jobs.send(tx, 'test.record', { id: 'now' });
  });
  await eventually(() => expect(done).toEqual(['now']));
  const { rows } = await database.executeSql(
    `select data->>'id' as id from pgboss.job where name = 'test.record' and start_after > now() + interval '59 minutes'`,
  );
  expect(rows).toEqual([{ id: 'in an hour' }]);
});

test('what was sent to a process that died is done by the next', async () => {
  jobs.handle('test.record', record);
  await jobs.start();
  await jobs.stop();
  await database.db.transaction((tx) => jobs.send(tx, 'test.record', { id: 'left over' }));
  jobs = createJobs({ database, log: silentLog });
  jobs.handle('test.record', record);
  await jobs.start();
  await eventually(() => expect(done).toEqual(['left over']));
});

test('the very first job of a new queue is sent by its transaction alone', async () => {
  jobs.handle('test.first', record);
  jobs.handle('test.second', record);
  await jobs.start();
  await database.db.transaction(async (tx) => {
    await jobs.send(tx, 'test.second', { id: 'second' });
    await jobs.send(tx, 'test.first', { id: 'first' });
  });
  await eventually(() => expect(done.toSorted()).toEqual(['first', 'second']));
});

test('before the start a job is refused at once, rather than lost or waited for', async () => {
  jobs.handle('test.record', record);
  const early = database.db.transaction((tx) => jobs.send(tx, 'test.record', { id: 'early' }));
  await expect(early).rejects.toThrow('sent before the jobs had started');
});

test('a queue has to be declared before the start', async () => {
  await jobs.start();
  expect(() => jobs.handle('test.late', record)).toThrow('declared after the start');
});

test('what a failed job leaves in its row holds no words of the statement that failed', async () => {
  jobs.handle(
    'test.words',
    async () => {
      const cause = Object.assign(new Error('no room for: a secret wish'), { code: '23505', detail: 'a secret wish' });
      throw new DrizzleQueryError('update sessions set name = $1', ['a secret wish'], cause);
    },
    { retryLimit: 0 },
  );
  await jobs.start();
  await database.db.transaction((tx) => jobs.send(tx, 'test.words', { id: 'x' }));
  await eventually(async () => {
    const sent = await database.executeSql('select state, output from pgboss.job where name = $1', ['test.words']);
    expect(sent.rows[0]).toMatchObject({ state: 'failed', output: { message: 'Error < Error code=23505' } });
    expect(JSON.stringify(sent.rows)).not.toContain('secret');
  });
  expect(errors).toHaveLength(1);
});
