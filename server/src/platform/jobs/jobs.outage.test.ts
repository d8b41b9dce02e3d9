import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { closing } from '../../testing/lifetimes.ts';
import { startOwnPostgres } from '../../testing/own-postgres.ts';
import { openPostgres } from '../database/postgres.ts';
import { silentLog } from '../log.ts';
import { createJobs } from './jobs.pg-boss.ts';
import type { Jobs } from './jobs.ts';

let jobs: Jobs;
let done: string[];

const server = await closing(startOwnPostgres());
const database = await closing(openPostgres(server.url, silentLog));
beforeEach(() => {
  done = [];
  jobs = createJobs({ database, log: silentLog });
});
afterEach(() => jobs.stop());

const send = (queue: string, id: string) => database.db.transaction((tx) => jobs.send(tx, queue, { id }));
const states = async (queue: string) =>
  (await server.ask(`select state, retry_count as tries from pgboss.job where name = '${queue}'`)) as unknown[];

test('a job that is sent while the listener’s connection is cut begins when it is back', async () => {
  jobs.handle<{ id: string }>('test.cut', async ({ id }) => void done.push(id));
  await jobs.start();
  await server.terminateAll();
  await eventually(() => send('test.cut', 'sent'));
  await eventually(() => expect(done).toEqual(['sent']));
  await send('test.cut', 'after');
  await eventually(() => expect(done).toEqual(['sent', 'after']));
});

test('a job that ends while the database is away is done once, and counted as done when it is back', async () => {
  const end = Promise.withResolvers<void>();
  jobs.handle<{ id: string }>('test.away', async ({ id }) => {
    done.push(id);
    await end.promise;
  });
  await jobs.start();
  await send('test.away', 'long');
  await eventually(() => expect(done).toEqual(['long']));
  await server.halt();
  end.resolve();
  await server.resume();
  await eventually(async () => expect(await states('test.away')).toEqual([{ state: 'completed', tries: 0 }]));
  expect(done).toEqual(['long']);
});
