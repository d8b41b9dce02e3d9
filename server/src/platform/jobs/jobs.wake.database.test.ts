import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyJobs, openTestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { closing } from '../../testing/lifetimes.ts';
import type { Database } from '../database/database.ts';
import { type Log, silentLog } from '../log.ts';
import { periodicStatement } from './job-statements.ts';
import { createJobs } from './jobs.pg-boss.ts';
import type { Jobs, NewJob } from './jobs.ts';

let jobs: Jobs;
let done: string[];
let errors: unknown[];
/** Every statement about jobs that the process sent on its own account, outside the senders' transactions. */
let asked: string[];
/** Calls the listeners as after a lost connection. */
let gap: () => void;
/** Whether notices reach this process. */
let connected: boolean;

const log: Log = { ...silentLog, error: (_event, error) => errors.push(error) };
const record = async ({ id }: { id: string }) => void done.push(id);
const fetches = (queue: string) =>
  asked.filter((text) => text.includes('UPDATE') && text.includes(`'${queue}'`)).length;

/** The same database as another process sees it: counted, and with a listener that can be cut. */
function watched(): Database {
  return {
    ...database,
    executeSql: (text, values) => {
      if (text.includes('pgboss.job')) asked.push(text);
      return database.executeSql(text, values);
    },
    listen: (channel, fn, onGap) => {
      gap = onGap ?? gap;
      return database.listen(channel, (payload) => connected && fn(payload), onGap);
    },
  };
}

/** Resolves when every notice of an earlier commit has arrived in this test. */
async function heardAll(): Promise<void> {
  const heard = Promise.withResolvers<void>();
  const stop = await database.listen('test_heard', () => heard.resolve());
  await database.executeSql('notify test_heard');
  await heard.promise;
  await stop();
}

const send = (...list: NewJob[]) => database.db.transaction((tx) => jobs.sendAll(tx, list));

const database = await closing(openTestDatabase());

beforeEach(() => {
  [done, errors, asked, connected] = [[], [], [], true];
  jobs = createJobs({ database: watched(), log });
});

afterEach(async () => {
  await jobs.stop();
  await emptyJobs(database);
});

describe('a queue that is woken by commits', () => {
  beforeEach(async () => {
    jobs.handle('test.record', record);
    jobs.handle('test.other', record);
    await jobs.start();
    asked = [];
  });

  test('asks for one job: take it, end it, look for more; other queues are not looked at', async () => {
    await send({ queue: 'test.record', data: { id: 'one' } });
    await eventually(() => expect(asked).toHaveLength(3));
    expect(done).toEqual(['one']);
    await send({ queue: 'test.record', data: { id: 'two' } });
    await eventually(() => expect(asked).toHaveLength(6));
    expect(done).toEqual(['one', 'two']);
    expect(fetches('test.record')).toBe(4);
    expect(fetches('test.other')).toBe(0);
  });

  test('looks after the commit, and never for what was rolled back', async () => {
    const failing = database.db.transaction(async (tx) => {
      await jobs.send(tx, 'test.record', { id: 'never' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await database.db.transaction(async (tx) => {
      await jobs.send(tx, 'test.record', { id: 'one' });
      await tx.execute(sql`select 1`);
      expect(asked).toEqual([]);
    });
    await eventually(() => expect(asked).toHaveLength(3));
    expect(done).toEqual(['one']);
  });

  test('does all that one commit brought to several queues, in the order of each', async () => {
    const list = ['a', 'b', 'c', 'd'].map((id) => ({ queue: 'test.record', data: { id } }));
    await send(...list, { queue: 'test.other', data: { id: 'other' } });
    await eventually(() => expect(done).toHaveLength(5));
    expect(done.filter((id) => id !== 'other')).toEqual(['a', 'b', 'c', 'd']);
  });

  test('refuses a job for a queue that nobody declared, and leaves the transaction to its sender', async () => {
    await expect(send({ queue: 'test.typo', data: {} })).rejects.toThrow('there is no queue test.typo');
    await send();
  });

  test('does a delayed job when it is due, and not before', async () => {
    await send(
      { queue: 'test.record', data: { id: 'in a second' }, startAfterSeconds: 1 },
      { queue: 'test.record', data: { id: 'in an hour' }, startAfterSeconds: 3_600 },
      { queue: 'test.other', data: { id: 'now' } },
    );
    await eventually(() => expect(done).toEqual(['now', 'in a second']));
    expect(fetches('test.record')).toBeLessThanOrEqual(2);
  });

  test('makes up for notices that were lost with the connection', async () => {
    connected = false;
    await send({ queue: 'test.record', data: { id: 'unheard' } });
    // Notices come in order: once this one is heard, the other one is lost.
    await heardAll();
    connected = true;
    await send({ queue: 'test.other', data: { id: 'heard' } });
    await eventually(() => expect(done).toEqual(['heard']));
    gap();
    await eventually(() => expect(done).toEqual(['heard', 'unheard']));
  });
});

test('a job is done when it is due, also where an earlier one of its queue is due when the clock is set', async () => {
  jobs = createJobs({ database, log, roundMs: 86_400_000 });
  jobs.handle('test.record', record);
  await jobs.start();
  await send(
    { queue: 'test.record', data: { id: 'in half a second' }, startAfterSeconds: 0.5 },
    { queue: 'test.record', data: { id: 'in a second' }, startAfterSeconds: 1 },
  );
  await eventually(() => expect(done).toEqual(['in half a second', 'in a second']));
});

test('a job of another process wakes this one', async () => {
  const other = createJobs({ database, log });
  let begun = 0;
  other.handle('test.record', () => {
    begun += 1;
    return new Promise(() => {});
  });
  await other.start();
  // It begins its only job of this queue and never ends it, so the next one is this process's.
  await database.db.transaction((tx) => other.sendAll(tx, [{ queue: 'test.record', data: { id: 'x' } }]));
  await eventually(() => expect(begun).toBe(1));
  jobs.handle('test.record', record);
  await jobs.start();
  await database.db.transaction((tx) => other.sendAll(tx, [{ queue: 'test.record', data: { id: 'y' } }]));
  await eventually(() => expect(done).toEqual(['y']));
  await other.stop();
});

describe('jobs with a key', () => {
  let go: () => void;
  beforeEach(async () => {
    const gate = new Promise<void>((resolve) => (go = resolve));
    jobs.handle<{ id: string }>('test.keyed', async (job) => {
      done.push(job.id);
      await gate;
    });
    await jobs.start();
  });

  test('wait once: the later one brings its data, and what runs already is not disturbed', async () => {
    const keyed = (id: string, singletonKey = 'k') => ({ queue: 'test.keyed', data: { id }, singletonKey });
    await send(keyed('running'));
    await eventually(() => expect(done).toEqual(['running']));
    await send(keyed('replaced'), keyed('also replaced'));
    await send(keyed('last'), keyed('of another key', 'l'));
    go();
    await eventually(() => expect(done.toSorted()).toEqual(['last', 'of another key', 'running']));
    await eventually(async () => {
      const { rows } = await database.executeSql(`select distinct state from pgboss.job where name = 'test.keyed'`);
      expect(rows).toEqual([{ state: 'completed' }]);
    });
    expect(done).toHaveLength(3);
  });

  test('keep the earlier time', async () => {
    go();
    const keyed = (id: string, startAfterSeconds: number) => ({
      queue: 'test.keyed',
      data: { id },
      singletonKey: 'k',
      startAfterSeconds,
    });
    await send(keyed('a', 3_600));
    await send(keyed('b', 0));
    await eventually(() => expect(done).toEqual(['b']));
  });
});

test('work that nobody waits for begins after its pause, once for a key however often it was sent', async () => {
  jobs.handle('test.quiet', record, { pauseMs: 300 });
  await jobs.start();
  asked = [];
  for (const id of ['a', 'b', 'c']) await send({ queue: 'test.quiet', data: { id }, singletonKey: 'k' });
  await eventually(() => expect(done).toEqual(['c']));
  await eventually(() => expect(asked).toHaveLength(3));
});

test('as many jobs run at once as the queue allows', async () => {
  let running = 0;
  let most = 0;
  let go: () => void = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  jobs.handle<{ id: string }>(
    'test.parallel',
    async (job) => {
      running += 1;
      most = Math.max(most, running);
      await gate;
      running -= 1;
      await record(job);
    },
    { atOnce: 3 },
  );
  await jobs.start();
  const ids = ['a', 'b', 'c', 'd', 'e'];
  await send(...ids.map((id) => ({ queue: 'test.parallel', data: { id } })));
  await eventually(() => expect(running).toBe(3));
  go();
  await eventually(() => expect(done.toSorted()).toEqual(ids));
  expect(most).toBe(3);
});

describe('a regular queue', () => {
  const everyMonth = { queue: 'test.regular', data: {}, retryLimit: 3, periodSeconds: 31 * 86_400 };
  const rows = async () =>
    (await database.executeSql(`select state, singleton_on from pgboss.job where name = 'test.regular'`)).rows;

  test('gets its job by itself, one for each period however many processes add it', async () => {
    const processes = [1, 2].map(() => createJobs({ database, log, roundMs: 50 }));
    for (const process of processes) {
      process.handle('test.regular', async () => void done.push('x'), { cron: '*/5 * * * *' });
      await process.start();
    }
    await eventually(() => expect(done.length).toBeGreaterThan(0));
    for (const process of processes) await process.stop();
    const periods = (await rows()).map((row) => String(row.singleton_on));
    expect(new Set(periods).size).toBe(periods.length);
    expect(done).toHaveLength(periods.length);
  });

  test('gets no second job while its period lasts, even when the first is done', async () => {
    jobs.handle('test.regular', async () => void done.push('x'), { cron: '* * * * *' });
    await jobs.start();
    await database.db.execute(periodicStatement([everyMonth]));
    await eventually(async () => expect(await rows()).toMatchObject([{ state: 'completed' }]));
    await database.db.execute(periodicStatement([everyMonth]));
    expect(await rows()).toHaveLength(1);
  });
});

test('after the last failure a job stays failed, and its pauses grow', async () => {
  const pauses: number[] = [];
  jobs.handle(
    'test.broken',
    async () => {
      throw new Error('no');
    },
    { retryLimit: 2 },
  );
  await jobs.start();
  await send({ queue: 'test.broken', data: {} });
  const row = async () =>
    (
      await database.executeSql(
        `select state, retry_count as tries, extract(epoch from start_after - now())::float8 as pause from pgboss.job
         where name = 'test.broken'`,
      )
    ).rows[0];
  for (const tries of [0, 1]) {
    await eventually(async () => expect(await row()).toMatchObject({ state: 'retry', tries }));
    pauses.push(Number((await row())?.pause));
    // Instead of waiting.
    await database.executeSql(`update pgboss.job set start_after = now() where name = 'test.broken'`);
    gap();
  }
  await eventually(async () => expect(await row()).toMatchObject({ state: 'failed', tries: 2 }));
  expect(pauses[1]).toBeGreaterThan(Number(pauses[0]));
  expect(errors).toHaveLength(3);
});
