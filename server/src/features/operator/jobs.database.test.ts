import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { actsOf } from '../../testing/operator-acts.ts';

/** A kind of the server's own, whose job ends at once where there is nothing to send. */
const KIND = 'contact.sweep';

let operator: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  operator = await app.signUp('Boss');
});

const insert = async (columns: string, values: string): Promise<string[]> => {
  const { rows } = await app.deps.database.executeSql(
    `insert into pgboss.job_common (name, retry_limit, ${columns}) ${values} returning id`,
  );
  return rows.map(({ id }) => String(id));
};
const failed = (count = 1, kind = KIND) =>
  insert(
    'retry_count, state, completed_on, output',
    `select '${kind}', 3, 3, 'failed'::pgboss.job_state, now() - n * interval '1 second', '{"message": "Error < ECONNREFUSED"}'
     from generate_series(1, ${count}) n`,
  );
const waiting = () => insert('start_after', `values ('${KIND}', 3, now() + interval '1 hour')`);
const list = async (query = '') => (await app.request('GET', `/api/admin/jobs${query}`, { as: operator })).body;
const act = (method: 'POST' | 'DELETE', id: string, more: { kind?: string; body?: object } = {}) =>
  app.request(method, `/api/admin/jobs/${more.kind ?? KIND}/${id}${method === 'POST' ? '/retry' : ''}`, {
    as: operator,
    body: more.body ?? {},
  });
const acts = () => actsOf(app, operator, ({ what, about }) => [what, about]);
const stateOf = async (id: string) => {
  const { rows } = await app.deps.database.executeSql('select state from pgboss.job_common where id = $1', [id]);
  return rows[0]?.state;
};

test('shows what failed and what waits, by kind, with the error and without what the job carries', async () => {
  const [id] = await failed();
  const [later] = await waiting();
  await failed(1, 'contact.deliver');
  const { jobs, kinds } = await list(`?kind=${KIND}`);
  expect(jobs).toEqual([
    { id, kind: KIND, at: expect.any(String), dueAt: null, retries: 3, error: 'Error < ECONNREFUSED' },
  ]);
  expect(kinds).toEqual([
    { kind: 'contact.deliver', failed: 1, waiting: 0 },
    { kind: KIND, failed: 1, waiting: 1 },
  ]);
  expect((await list('?state=waiting')).jobs).toMatchObject([{ id: later, dueAt: expect.any(String), error: null }]);
});

test('comes in pages, each job once', async () => {
  const ids = await failed(5);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { jobs, nextCursor } = await list(`?limit=2${cursor}`);
    seen.push(...jobs.map(({ id }: { id: string }) => id));
    if (nextCursor === null) break;
    cursor = `&cursor=${nextCursor}`;
  }
  expect(seen).toEqual(ids);
  for (const query of ['?state=done', '?cursor=x', '?limit=0', `?kind=${'x'.repeat(101)}`])
    expect((await app.request('GET', `/api/admin/jobs${query}`, { as: operator })).status).toBe(400);
});

test('failed jobs are found by an index', async () => {
  const { rows } = await app.deps.database.executeSql(
    `select indexdef from pg_indexes where schemaname = 'pgboss' and indexname = 'job_common_failed'`,
  );
  expect(rows).toHaveLength(1);
});

test('a failed job is tried again, and one that waits begins at once', async () => {
  const [[gone = ''], [later = '']] = [await failed(), await waiting()];
  expect([(await act('POST', gone)).status, (await act('POST', later)).status]).toEqual([204, 204]);
  await eventually(async () => expect([await stateOf(gone), await stateOf(later)]).toEqual(['completed', 'completed']));
  expect(await acts()).toEqual([
    ['job_retried', `${KIND} ${later}`],
    ['job_retried', `${KIND} ${gone}`],
  ]);
});

test('a job is deleted once, also twice at once', async () => {
  const [id = ''] = await failed();
  const both = await Promise.all([act('DELETE', id), act('DELETE', id)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  expect([await stateOf(id), await acts()]).toEqual([undefined, [['job_deleted', `${KIND} ${id}`]]]);
});

test('what is at work or done is left alone, and what isn’t there is missing', async () => {
  const [running = '', done = ''] = await insert(
    'state, started_on',
    `values ('${KIND}', 3, 'active', now()), ('${KIND}', 3, 'completed', now())`,
  );
  for (const id of [running, done, crypto.randomUUID(), 'nothing'])
    expect([(await act('POST', id)).status, (await act('DELETE', id)).status]).toEqual([404, 404]);
  const [id = ''] = await failed();
  expect((await act('POST', id, { kind: 'contact.deliver' })).status).toBe(404);
  expect(await acts()).toEqual([]);
});

test('takes no odd body', async () => {
  const [id = ''] = await failed();
  expect((await act('POST', id, { body: { more: 1 } })).status).toBe(400);
  expect([await stateOf(id), await acts()]).toEqual(['failed', []]);
  await app.deps.db.execute(sql`delete from pgboss.job_common where id = ${id}::uuid`);
});
