import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { closing } from '../../testing/lifetimes.ts';
import { startOwnPostgres } from '../../testing/own-postgres.ts';
import { type Log, silentLog } from '../log.ts';
import { outageOf } from '../outage.ts';
import { openPostgres } from './postgres.ts';

const server = await closing(startOwnPostgres());
const database = await closing(openPostgres(server.url, silentLog));

const many = <T>(count: number, work: () => Promise<T>) => Promise.allSettled(Array.from({ length: count }, work));
const one = sql`select 1 as one`;

/** More than the pool has connections, in transactions and outside. */
async function expectToServe() {
  const inside = await many(40, () => database.db.transaction((tx) => tx.execute(one)));
  const outside = await many(40, () => database.db.execute(one));
  expect([...inside, ...outside].filter(({ status }) => status === 'rejected')).toEqual([]);
}

function expectAllAway(results: PromiseSettledResult<unknown>[]) {
  expect(results.map((result) => (result.status === 'rejected' ? outageOf(result.reason) : result.value))).toEqual(
    results.map(() => 'away'),
  );
}

const connectionsAsleep = async () => {
  const rows = await server.ask(
    `select count(*)::int as count from pg_stat_activity where wait_event = 'PgSleep' and state = 'active'`,
  );
  return rows[0]?.count;
};

test('a hundred transactions that could not begin leave the pool whole', async () => {
  const level = 'not a level' as 'serializable';
  const results = await many(100, () => database.db.transaction(async () => {}, { isolationLevel: level }));
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  await expectToServe();
});

test('connections that are cut while transactions run fail those alone', async () => {
  const running = many(20, () => database.db.transaction((tx) => tx.execute(sql`select pg_sleep(60)`)));
  await eventually(async () => expect(await connectionsAsleep()).toBe(20));
  await server.terminateAll();
  expectAllAway(await running);
  await expectToServe();
});

test('connections that are cut between two statements of a transaction fail those alone', async () => {
  const cut = Promise.withResolvers<void>();
  let entered = 0;
  const running = many(20, () =>
    database.db.transaction(async (tx) => {
      await tx.execute(one);
      entered += 1;
      await cut.promise;
      await tx.execute(one);
    }),
  );
  await eventually(() => expect(entered).toBe(20));
  await server.terminateAll();
  cut.resolve();
  expectAllAway(await running);
  await expectToServe();
});

test('after a crash under load it serves again, and listeners are told to look', async () => {
  const heard: string[] = [];
  let gaps = 0;
  const stop = await database.listen(
    'crashes',
    (payload) => heard.push(payload),
    () => {
      gaps += 1;
    },
  );
  for (let crash = 1; crash <= 3; crash += 1) {
    const load = many(40, () => database.db.transaction((tx) => tx.execute(sql`select pg_sleep(0.05)`)));
    await server.halt();
    await load;
    expectAllAway(await many(40, () => database.db.transaction((tx) => tx.execute(one))));
    await expect(database.ping()).rejects.toThrow();
    await server.resume();
    await expectToServe();
    await eventually(() => expect(gaps).toBe(crash));
    await database.db.execute(sql`select pg_notify('crashes', ${String(crash)})`);
    await eventually(() => expect(heard).toContain(String(crash)));
  }
  await stop();
});

test('a start waits for the server, says for which one and not with what password, and then opens', async () => {
  const lines: unknown[] = [];
  const log: Log = { ...silentLog, info: (event, fields) => lines.push({ event, ...fields }) };
  await server.halt();
  const opening = openPostgres(server.url, log);
  await eventually(() => expect(lines).toHaveLength(1));
  const { host, password } = new URL(server.url);
  expect(lines).toEqual([
    {
      event: 'database.waiting',
      for: `PostgreSQL at ${host}/postgres`,
      because: expect.stringContaining('ECONNREFUSED'),
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain(password);
  await server.resume();
  const opened = await opening;
  await opened.ping();
  await opened.close();
  expect(lines).toHaveLength(1);
});

test('a start does not wait for what will not come', async () => {
  const url = new URL(server.url);
  url.password = 'wrong';
  await expect(openPostgres(url.href, silentLog)).rejects.toThrow(/password authentication failed/);
});
