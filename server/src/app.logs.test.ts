import { sql } from 'drizzle-orm';
import { afterAll, expect, it, vi } from 'vitest';
import { rateLimit } from './features/accounts/accounts.identity.table.ts';
import { createLog } from './platform/log.ts';
import { around } from './testing/around.ts';
import { openTestDatabase } from './testing/database.ts';
import { effort, isNightly, shareOf } from './testing/effort.ts';
import { eventually } from './testing/eventually.ts';
import { describeOperations, fillPath, furnish, type Operation } from './testing/every-route.ts';
import { testApp } from './testing/harness.ts';
import { sampleOf } from './testing/hostile-input.ts';
import { jobsEnd } from './testing/jobs-end.ts';
import { closing } from './testing/lifetimes.ts';

const CANARY = 'peanutcanary';
/** The caller's sign-in is looked up in these, so that with them away nothing else is reached. */
const IDENTITY = ['user', 'session', 'profiles', 'usage'];
/** A write to each of these is made to fail; what a run writes follows its request. */
const WRITTEN = ['agents', 'contact_messages', 'memories', 'chat_sessions', 'tasks', 'user'];

const written: string[] = [];
let count = 0;
const some = shareOf(6);

/** What a console would print of it, every field included. */
const printed = (value: unknown) =>
  value instanceof Error ? `${value.stack} ${JSON.stringify(Object.getOwnPropertyDescriptors(value))}` : String(value);

const keep = (chunk: unknown) => written.push(String(chunk)) > 0;
vi.spyOn(process.stderr, 'write').mockImplementation(keep);
vi.spyOn(process.stdout, 'write').mockImplementation(keep);
for (const method of ['error', 'warn', 'info', 'log'] as const) {
  vi.spyOn(console, method).mockImplementation((...args) => void written.push(args.map(printed).join(' ')));
}
afterAll(() => void vi.restoreAllMocks());
/** Of this file alone: it is broken on purpose. */
const database = await closing(openTestDatabase());
const app = await closing(testApp({ database, log: createLog((line) => written.push(line)) }));
const ada = await app.signUpPro();
const known = await furnish(app, ada);
const operations = (await describeOperations(app)).filter(
  ({ path, method }) =>
    !/runAgentTask|\/live|sign-out|export/u.test(path) && !(method === 'DELETE' && path.includes('{')),
);
const { rows } = await app.deps.database.executeSql(
  `select tablename from pg_tables where schemaname = $1 order by 1`,
  ['public'],
);
const tables = rows.map(({ tablename }) => String(tablename));

/** A message with an attachment that doesn't exist is refused before anything is written. */
const withoutAttachments = (body: unknown) => (typeof body === 'object' ? { ...body, attachmentIds: undefined } : body);

/** A route once, with words of a person wherever a text may stand. */
async function call({ method, path, query, body }: Operation) {
  count += 1;
  const words = `${CANARY} ${count}`;
  const values = new Proxy(known, {
    get: (target, name: string) =>
      target[name] !== undefined && !['inputText', 'email'].includes(name)
        ? target[name]
        : name === 'email'
          ? `${CANARY}${count}@example.com`
          : words,
  });
  const text = query.filter(({ name }) => ['q', 'tag', 'agentId', 'only'].includes(name));
  const search = text.map(({ name }) => `${name}=${encodeURIComponent(words)}`).join('&');
  const sample = body === undefined ? {} : { body: withoutAttachments(sampleOf(body, '', values)) };
  return app.request(method, `${fillPath(path, values)}?${search}`, {
    ...(path.includes('sign-') ? {} : { as: ada }),
    ...sample,
    headers: { 'idempotency-key': words },
  });
}

async function callEach(routes: readonly Operation[]) {
  await app.deps.db.execute(sql`select 1`);
  for (const route of routes) await call(route);
}

/** A session of its own for each round: a run that can't be stored keeps the other busy. */
async function freshSession() {
  await app.deps.db.delete(rateLimit);
  const body = { agentId: known.agentId, name: `${CANARY} session` };
  const answer = await app.request('POST', '/api/sessions', { as: ada, body });
  if (answer.status === 201) known.sessionId = answer.body.session.id;
}

const inFlight = async () =>
  (await app.deps.database.executeSql(`select id from tasks where status = $1`, ['running'])).rows.length;

/** Which routes, and what they start, write to each table. */
async function writersOfTables(): Promise<Map<string, Operation[]>> {
  const { executeSql } = app.deps.database;
  await executeSql(`create schema noted; create table noted.writes (name text);
    create function noted.write() returns trigger language plpgsql security definer as $$ begin
      insert into noted.writes values (TG_TABLE_NAME); return null; end $$`);
  for (const table of tables) {
    const event = `after insert or update or delete on "${table}"`;
    await executeSql(`create trigger note_write ${event} for each row execute function noted.write()`);
  }
  await freshSession();
  const writers = new Map<string, Operation[]>();
  for (const route of operations) {
    await executeSql('delete from noted.writes');
    if ((await call(route)).status === 202) {
      await eventually(async () => expect(await inFlight()).toBe(0));
      await jobsEnd(app);
    }
    const { rows } = await executeSql('select distinct name from noted.writes');
    for (const { name } of rows) writers.set(String(name), [...(writers.get(String(name)) ?? []), route]);
  }
  for (const table of tables) await executeSql(`drop trigger note_write on "${table}"`);
  await executeSql('drop schema noted cascade');
  return writers;
}

// At night each of a hundred and fifty routes meets each table.
const timeout = effort(300_000, 1_800_000);
it('logs no word of a person when a statement that writes it fails, whatever the database says', {
  timeout,
}, async () => {
  const writers = await writersOfTables();
  expect([...writers.keys()]).toEqual(expect.arrayContaining(WRITTEN));
  for (const table of tables.filter((name) => name !== 'rate_limit')) {
    const routes = isNightly ? operations : (writers.get(table) ?? []);
    if (routes.length === 0) continue;
    await freshSession();
    const before = written.length;
    // The database's own message repeats the row, as messages of real ones may.
    await app.deps.database.executeSql(
      `create function fail_write() returns trigger language plpgsql as $$ begin
         raise exception 'no room for %', coalesce(NEW, OLD)::text using detail = coalesce(NEW, OLD)::text; end $$;
       create trigger fail_write before insert or update or delete on "${table}" for each row execute function fail_write()`,
    );
    await callEach(routes);
    const hasFailed = () => written.slice(before).join('\n').includes('code=P0001');
    if (WRITTEN.includes(table)) await eventually(() => expect([table, hasFailed()]).toEqual([table, true]));
    await app.deps.database.executeSql(`drop trigger fail_write on "${table}"; drop function fail_write()`);
    await eventually(async () => expect(await inFlight()).toBeLessThan(50));
    const said = written.slice(before).join('\n');
    expect([table, around(said, CANARY)]).toEqual([table, undefined]);
  }
});

it('logs no word of a person when a statement that reads by it fails', async () => {
  const away = tables.filter((name) => ![...IDENTITY, 'rate_limit'].includes(name));
  for (const group of [away, ['rate_limit'], ['user']]) {
    const before = written.length;
    for (const table of group) await app.deps.database.executeSql(`alter table "${table}" rename to "${table}_away"`);
    // By day a sixth of the routes where the sign-in already fails: that ends each of them alike.
    await callEach(group === away ? operations : some(operations));
    for (const table of group) await app.deps.database.executeSql(`alter table "${table}_away" rename to "${table}"`);
    const said = written.slice(before).join('\n');
    expect([group.length, said.includes('code=42P01')]).toEqual([group.length, true]);
    expect([group.length, around(said, CANARY)]).toEqual([group.length, undefined]);
  }
});

it('keeps no word of a person in the job queues or the metrics', async () => {
  const { rows } = await app.deps.database.executeSql('select j::text as job from pgboss.job j', []);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(CANARY);
  expect((await app.request('GET', '/metrics')).body).not.toContain(CANARY);
});
