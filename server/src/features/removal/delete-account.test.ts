import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { beforeEach, expect, test, vi } from 'vitest';
import { effort } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { fullAccount } from '../../testing/every-route.ts';
import { cookieOf, emptyApp, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { noteRowsAtOnce } from '../../testing/rows-at-once.ts';
import { exploreTags } from '../explore/explore.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessionFolders } from '../sessions/sessions.table.ts';
import { OWN_TABLES } from '../transfer/own-tables.table.ts';
import { eraseAccount } from './delete-account.service.ts';
import { remainingRows } from './removal.queries.ts';

const failed = vi.fn<(event: string, error: unknown) => void>();
const app = await emptyApp({ log: { info: () => {}, error: failed } });
beforeEach(() => failed.mockClear());

const rowsOf = async (text: string) => (await app.deps.database.executeSql(text, [])).rows;
const names = OWN_TABLES.map(({ table }) => getTableConfig(table).name);

/** Every table of every schema, the job queues' among them. */
async function allTables(): Promise<string[]> {
  const rows = await rowsOf(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  return rows.map(({ name }) => String(name));
}

/** The tables in which a word stands in any row, in any column. */
async function tablesWith(word: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await allTables()) {
    const [row] = await rowsOf(`select count(*)::int as n from ${table} t where t::text like '%${word}%'`);
    if (Number(row?.n) > 0) found.push(table);
  }
  return found;
}

const erase = (as: TestUser, body: unknown = { password: PASSWORD }) => app.request('DELETE', '/api/me', { as, body });

test('deleted: nothing of it in any table, the job queues among them; others keep theirs', async () => {
  const { owner, fan } = await fullAccount(app);
  // The scan finds what is there: whatever it is to miss afterwards, it sees before.
  const before = await tablesWith(owner.uid);
  expect(
    names.map((name) => `public.${name}`).filter((name) => !before.map((t) => t.replaceAll('"', '')).includes(name)),
  ).toEqual([]);
  expect(before.some((name) => name.startsWith('pgboss.'))).toBe(true);
  expect(before).toContain('public.verification');

  const [file] = await app.deps.db.select().from(agentFiles).where(eq(agentFiles.userId, owner.uid));
  const key = file?.key ?? '';
  expect(await app.deps.storage.has(key)).toBe(true);

  expect(await erase(owner)).toMatchObject({ status: 200, body: { deleted: true } });
  await eventually(async () => expect(await tablesWith(owner.uid)).toEqual([]));
  expect(await app.deps.storage.has(key)).toBe(false);
  expect(await tablesWith(owner.email)).toEqual([]);
  expect(await tablesWith('kiln')).toEqual([]);
  expect(await app.deps.db.select().from(exploreTags).where(eq(exploreTags.creatorId, owner.uid))).toEqual([]);

  expect((await app.request('GET', '/api/me', { as: owner })).status).toBe(401);
  const again = { email: owner.email, password: PASSWORD };
  expect((await app.request('POST', '/api/auth/sign-in/email', { body: again })).status).toBe(401);
  const { agents } = (await app.request('GET', '/api/agents', { as: fan })).body;
  expect(agents).toHaveLength(2);
  expect(agents).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ id: 'other', favoriteCount: 0 }),
      expect.objectContaining({ name: 'Field Notes', forkedFrom: null }),
    ]),
  );
  expect((await app.request('GET', '/api/favorites', { as: fan })).body.favorites).toEqual([]);
  const newcomer = { name: 'Ada', email: owner.email, password: PASSWORD };
  expect((await app.request('POST', '/api/auth/sign-up/email', { body: newcomer })).status).toBe(200);
});

test('a wrong password deletes nothing, and guessing is stopped; malformed, foreign and signed out are refused', async () => {
  const owner = await app.signUp();
  expect((await erase(owner, { password: 'wrong' })).body.error).toEqual({
    code: 'forbidden',
    message: 'This is not your password.',
    field: 'password',
  });
  for (const body of [{}, { password: '' }, { password: 7 }, { password: PASSWORD, uid: 'x' }, '{']) {
    expect((await erase(owner, body)).status).toBe(400);
  }
  expect((await erase(owner, { password: 'x'.repeat(300 * 1024) })).status).toBe(413);
  const foreign = { as: owner, body: { password: PASSWORD }, headers: { origin: 'https://elsewhere.example' } };
  expect((await app.request('DELETE', '/api/me', foreign)).status).toBe(403);
  const guesses = await Promise.all(Array.from({ length: 12 }, (_, i) => erase(owner, { password: `guess ${i}` })));
  expect(guesses.map(({ status }) => status)).toContain(429);
  expect((await app.request('GET', '/api/me', { as: owner })).status).toBe(200);
});

/** Keeps what is left of deleted accounts where it is: the one job that erases them waits for the storage, with another account's files. */
async function holdErasing() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const erasing = vi.spyOn(app.deps.storage, 'deleteFolder').mockReturnValueOnce(promise);
  await erase(await app.signUp());
  await eventually(() => expect(erasing).toHaveBeenCalled());
  return resolve;
}

test('closed at once, while what is left waits: nobody signs in, finds or reads anything, and the email is free', async () => {
  const { owner, fan, sessionId } = await fullAccount(app);
  const { token } = (await app.request('POST', `/api/sessions/${sessionId}/shares`, { as: owner, body: {} })).body
    .share;
  const release = await holdErasing();
  expect((await erase(owner)).status).toBe(200);
  expect(await tablesWith('kiln')).toContain('public.memories');

  expect(await tablesWith(owner.email)).toEqual([]);
  for (const table of ['"user"', 'session', 'account', 'passkeys', 'api_keys', 'payments', 'pro_grants', 'usage'])
    expect(await rowsOf(`select 1 from ${table} t where t::text like '%${owner.uid}%'`)).toEqual([]);
  expect((await app.request('GET', '/api/me', { as: owner })).status).toBe(401);
  const asFan = (path: string) => app.request('GET', path, { as: fan });
  expect((await asFan(`/api/explore/${owner.uid}/field-notes`)).status).toBe(404);
  expect((await app.request('POST', `/api/explore/${owner.uid}/field-notes/copy`, { as: fan })).status).toBe(404);
  expect((await app.request('GET', `/api/shared/${token}`)).status).toBe(404);
  for (const path of ['/api/explore', '/api/explore?tag=notes', '/api/favorites', '/api/search?q=notes'])
    expect(JSON.stringify((await asFan(path)).body)).not.toContain(owner.uid);

  const newcomer = { name: 'Ada', email: owner.email, password: PASSWORD };
  const made = await app.request('POST', '/api/auth/sign-up/email', { body: newcomer });
  expect(made.status).toBe(200);
  const again: TestUser = { uid: made.body.user.id, email: owner.email, cookie: cookieOf(made.headers) };
  for (const path of ['/api/agents', '/api/sessions', '/api/favorites', '/api/folders', '/api/prompts'])
    expect(JSON.stringify((await app.request('GET', path, { as: again })).body)).not.toMatch(/kiln|field-notes/iu);
  expect((await app.request('GET', '/api/me', { as: again })).body.account).toMatchObject({
    subscriptionStatus: 'free',
  });

  release();
  await eventually(async () => expect(await tablesWith(owner.uid)).toEqual([]));
  expect(await tablesWith('kiln')).toEqual([]);
  expect((await app.request('GET', '/api/me', { as: again })).status).toBe(200);
});

test('what is added while an account is deleted is refused, like everything that hangs on it', async () => {
  const gone = { userId: 'nobody', id: crypto.randomUUID(), name: 'Late' };
  await expect(app.deps.db.insert(sessionFolders).values(gone)).rejects.toMatchObject({ cause: { code: '23503' } });
});

test('an answer that is being written when its account is deleted leaves nothing', async () => {
  const { owner, sessionId } = await fullAccount(app);
  const inputText = 'Tell me more of the kiln.';
  const answer = await app.request('POST', `/api/sessions/${sessionId}/tasks`, {
    as: owner,
    body: { agentId: 'field-notes', inputText },
  });
  expect(answer.status).toBe(202);
  expect((await erase(owner)).status).toBe(200);
  await eventually(async () => expect(await tablesWith(owner.uid)).toEqual([]));
  expect(await tablesWith('kiln')).toEqual([]);
});

test('a deletion and an answer that ends don’t block each other', async () => {
  for (let at = 0; at < effort(3, 8); at += 1) {
    const owner = await app.signUp('Ada');
    await app.request('POST', '/api/agents', { as: owner, body: { name: 'Second', prompt: 'p' } });
    const { session } = (await app.request('POST', '/api/sessions', { as: owner, body: { agentId: 'second' } })).body;
    const body = { agentId: 'second', inputText: 'The kiln is in Faro.' };
    await app.request('POST', `/api/sessions/${session.id}/tasks`, { as: owner, body });
    expect((await erase(owner)).status).toBe(200);
    await eventually(async () => expect(await tablesWith(owner.uid)).toEqual([]));
  }
  expect(failed.mock.calls).toEqual([]);
});

test('an event of a task that is just being deleted is dropped', async () => {
  const { owner, sessionId } = await fullAccount(app);
  const holder = randomUUID();
  const { rows: running } = await app.deps.database.executeSql(
    `update tasks set status = 'running', lease_owner = $2, lease_until = now() + interval '1 minute' where session_id = $1
     returning id, user_id, attempt`,
    [sessionId, holder],
  );
  const events = JSON.stringify(
    running.map(({ id, user_id, attempt }) => ({ user_id, task_id: id, attempt, seq: 999, type: 'delta', data: {} })),
  );
  const deleted = Promise.withResolvers<void>();
  const deletion = app.deps.db.transaction(async (tx) => {
    await tx.delete(tasks).where(eq(tasks.userId, owner.uid));
    deleted.resolve();
    await tx.execute(sql`select pg_sleep(0.2)`);
  });
  await deleted.promise;
  const stored = app.deps.database.executeSql(`select * from atelier_log_events($1, $2, '')`, [events, holder]);
  await deletion;
  expect(running.length).toBeGreaterThan(0);
  expect((await stored).rows).toEqual([]);
});

test('no statement deletes more than a portion, of an account or of an agent, and an agent’s memories leave every receipt', async () => {
  const { owner, sessionId } = await fullAccount(app);
  const more = async (agent: string) => {
    const { session } = (await app.request('POST', '/api/sessions', { as: owner, body: { agentId: agent } })).body;
    await app.deps.database.executeSql(
      `insert into memories (user_id, id, agent_id, session_id, kind, text, version)
       select user_id, gen_random_uuid(), agent_id, id, 'person', 'Of the kiln', 1 from chat_sessions, generate_series(1, 450) where id = $1`,
      [session.id],
    );
  };
  await app.request('POST', '/api/agents', { as: owner, body: { name: 'Second', prompt: 'p' } });
  await more('field-notes');
  await more('second');
  const item = { text: 'Of the kiln', kind: 'person', sessionId, timestamp: new Date(0).toISOString(), score: 1 };
  await app.deps.database.executeSql(
    `insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, status, model, memory_used)
     select s.user_id, gen_random_uuid(), s.id, s.agent_id, 'Field Notes', 'x', 'done', 'offline', jsonb_build_array($2::jsonb || jsonb_build_object('id', m.id))
     from chat_sessions s, generate_series(1, 450),
       lateral (select id from memories where text = 'Of the kiln' and agent_id = s.agent_id limit 1) m where s.id = $1`,
    [sessionId, JSON.stringify(item)],
  );
  const rows = await noteRowsAtOnce(app, ['memories', 'tasks']);
  try {
    await app.request('DELETE', '/api/agents/field-notes', { as: owner });
    const ofAgent = async () => (await app.request('GET', '/api/memories?q=kiln', { as: owner })).body.memories;
    expect((await ofAgent()).filter((memory: { agentId: string }) => memory.agentId === 'field-notes')).toEqual([]);
    await eventually(async () => {
      expect(await rowsOf(`select from tasks where memory_used::text like '%kiln%'`)).toEqual([]);
      expect(await rowsOf(`select count(*)::int as n from memories where text = 'Of the kiln'`)).toEqual([{ n: 450 }]);
    });
    await erase(owner);
    await eventually(async () => expect(await tablesWith(owner.uid)).toEqual([]));
    expect(await rows.most()).toEqual([
      { name: 'memories', n: 100, total: expect.toSatisfy((total: number) => total >= 900) },
      { name: 'tasks', n: 10, total: expect.toSatisfy((total: number) => total >= 900) },
    ]);
  } finally {
    await rows.stop();
  }
});

test('erasing goes on where it was broken off: at any table, and when the files can’t be reached', async () => {
  const { owner } = await fullAccount(app);
  const release = await holdErasing();
  await erase(owner);
  for (const broken of remainingRows('').keys()) {
    let transactions = 0;
    const db = new Proxy(app.deps.db, {
      get: (target, name) => {
        if (name === 'transaction' && (transactions += 1) > 1 + broken) throw new Error('killed');
        return Reflect.get(target, name, target);
      },
    });
    await expect(eraseAccount({ ...app.deps, db }, owner.uid)).rejects.toThrow('killed');
  }
  const storage = { ...app.deps.storage, deleteFolder: async () => Promise.reject(new Error('the bucket is away')) };
  await expect(eraseAccount({ ...app.deps, storage }, owner.uid)).rejects.toThrow('away');
  // Its job is still there, and does the rest.
  expect(await tablesWith(owner.uid)).toEqual(['pgboss.job', 'pgboss.job_common']);
  release();
  await eventually(async () => expect(await tablesWith(owner.uid)).toEqual([]));
});

test('twice at once: deleted once, and neither request fails at the server', async () => {
  const owner = await app.signUp();
  const statuses = (await Promise.all([erase(owner), erase(owner)])).map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => ![200, 401, 403].includes(status))).toEqual([]);
  await eventually(async () => expect(await tablesWith(owner.uid)).toEqual([]));
});
