import { setTimeout } from 'node:timers/promises';
import { agentFile } from '@atelier/contract/agent-file';
import { eq, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { fullAccount, MEDIA } from '../../testing/full-account.ts';
import { cookieOf, ORIGIN, PASSWORD, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { agents } from '../agents/agents.table.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { exploreTags } from '../explore/explore.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { leftRows } from '../removal/account-rows.queries.ts';
import { eraseAccount } from '../removal/delete-account.service.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessionFolders } from '../sessions/folders.table.ts';
import { ownRows } from './own-rows.queries.ts';
import { NOT_EXPORTED, OWN_TABLES } from './own-tables.queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
beforeEach(() => app.reset());
afterAll(() => app.close());

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

async function archive(as: TestUser) {
  const response = await app.app.request('http://localhost/api/export', { headers: { cookie: as.cookie } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="atelier-export-\d{4}-\d\d-\d\d\.zip"$/u,
  );
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

test('every table is either in the archive or left out with a reason, and what is one’s own goes with the account', async () => {
  const known = [...names, ...NOT_EXPORTED.keys()].map((name) => `public.${name}`);
  const tables = (await allTables()).map((name) => name.replaceAll('"', ''));
  const ours = tables.filter((name) => name.startsWith('public.'));
  expect(ours.toSorted()).toEqual(known.toSorted());
  // Whatever has a column for the owner goes with the account by itself, or in portions: each table before those that it hangs on.
  const cascading = await rowsOf(
    `select conrelid::regclass::text as name, confrelid::regclass::text as on from pg_constraint where contype = 'f' and confdeltype = 'c'`,
  );
  const inTurn = leftRows('').map(([table]) => getTableConfig(table).name);
  const late = cascading.filter(
    ({ name, on }) => inTurn.includes(String(on)) && inTurn.indexOf(String(name)) > inTurn.indexOf(String(on)),
  );
  expect(late).toEqual([]);
  const small = cascading.filter(({ on }) => ['"user"', 'payments'].includes(String(on)));
  const going = [...inTurn, ...small.map(({ name }) => String(name).replaceAll('"', ''))];
  const owned = await rowsOf(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('user_id', 'creator_id')`,
  );
  const mustGo = new Set([...names, ...owned.map(({ name }) => String(name))]);
  mustGo.delete('user');
  expect([...mustGo].filter((name) => !going.includes(name))).toEqual([]);
});

test('the archive holds a row of every kind, nobody else’s, and no secret', async () => {
  const { owner, fan } = await fullAccount(app);
  const files = await archive(owner);
  const [row] = await app.deps.db.select().from(agentFiles).where(eq(agentFiles.userId, owner.uid));
  const upload = `files/${row?.id}-schedule.txt`;
  const [sent] = await app.deps.db.select().from(attachments).where(eq(attachments.userId, owner.uid));
  const glaze = `attachments/${sent?.id}-glaze.txt`;
  const drawn = `tool-files/${MEDIA}.svg`;
  const [agent] = await app.deps.db.select().from(agents).where(eq(agents.userId, owner.uid));
  const asFile = `agents/${agent?.id}-Field Notes.agent.json`;
  const expected = ['README.txt', 'archive.json', asFile, upload, glaze, drawn, ...OWN_TABLES.map(({ file }) => file)];
  expect(Object.keys(files).toSorted()).toEqual(expected.toSorted());
  expect(files[upload]).toBe('Firing schedule of the kiln: 12 hours.');
  expect(files[glaze]).toBe('Glaze of the kiln: celadon.');
  expect(files[drawn]).toBe('<svg>a kiln</svg>');
  expect(agentFile.parse(JSON.parse(files[asFile] ?? '')).agent).toMatchObject({
    name: 'Field Notes',
    tags: ['notes'],
  });
  for (const { file } of OWN_TABLES) expect([file, JSON.parse(files[file] ?? '').length]).not.toEqual([file, 0]);
  const all = Object.values(files).join('\n');
  for (const word of ['The kiln stands', 'You keep notes.', 'About a kiln.', 'Where is my kiln?', owner.email]) {
    expect(all).toContain(word);
  }
  const token = /session_token=([^.;]+)/u.exec(owner.cookie)?.[1] ?? 'none';
  for (const secret of ['$argon2id', 'secret-code', decodeURIComponent(token), fan.email]) {
    expect(all).not.toContain(secret);
  }
});

test('an archive of many pages holds every row once', async () => {
  const { owner, sessionId } = await fullAccount(app);
  const [one] = await app.deps.db.select().from(tasks).where(eq(tasks.userId, owner.uid));
  if (one === undefined) throw new Error('there is no task');
  const more = Array.from({ length: 250 }, (_, i) => ({
    ...one,
    id: crypto.randomUUID(),
    sessionId,
    idempotencyKey: null,
    inputText: `question ${i}`,
  }));
  await app.deps.db.insert(tasks).values(more);
  const exchanges: { id: string }[] = JSON.parse((await archive(owner))['exchanges.json'] ?? '');
  expect(new Set(exchanges.map(({ id }) => id)).size).toBe(251);
  expect(exchanges).toHaveLength(251);
});

test('each page of an archive begins where the last one ended, and reads nothing before it', async () => {
  const { owner } = await fullAccount(app);
  const own = OWN_TABLES.find(({ file }) => file === 'memories.json') ?? expect.fail('memories are not exported');
  const many = 2_000;
  await app.deps.database.executeSql(
    `insert into memories (user_id, id, agent_id, session_id, kind, text, version)
     select user_id, gen_random_uuid(), agent_id, id, 'person', 'memory', 1 from chat_sessions, generate_series(1, $2)
     where user_id = $1 and deleted_at is null`,
    [owner.uid, many],
  );
  await app.deps.db.transaction(async (tx) => {
    const looked = async () => {
      const rows = await tx
        .select({ n: sql`seq_tup_read + idx_tup_fetch`.mapWith(Number) })
        .from(sql`pg_stat_xact_user_tables`)
        .where(sql`relname = 'memories'`);
      return rows[0]?.n ?? Number.NaN;
    };
    const before = await looked();
    let rows = 0;
    for await (const _ of ownRows(tx, own, owner.uid)) rows += 1;
    expect(rows).toBeGreaterThan(many);
    expect((await looked()) - before).toBeLessThan(2 * many);
  });
});

test('an empty account has an archive, too; signed out there is none', async () => {
  const owner = await app.signUp();
  expect((await archive(owner))['agents.json']).toBe('[]\n');
  expect((await app.request('GET', '/api/export')).status).toBe(401);
});

test('breaking an archive off, at any moment, ends nothing else', async () => {
  const ada = await app.signUp('Ada');
  const prompt = 'The kiln in Faro is fired on Mondays. '.repeat(400);
  for (let i = 0; i < 20; i += 1)
    await app.request('POST', '/api/agents', { as: ada, body: { name: `Agent ${i}`, prompt } });
  const breakOff = async () => {
    const headers = { cookie: ada.cookie, origin: ORIGIN };
    const { body } = await app.app.request(`${ORIGIN}/api/export`, { headers });
    const reader = body?.getReader();
    const read = async (): Promise<void> => ((await reader?.read())?.done ? undefined : read());
    void read();
    await setTimeout(Math.random() * 60);
    await reader?.cancel();
  };
  // What nobody listens to ends the process, and this run of tests with it.
  for (let i = 0; i < 80; i += 1) await Promise.all([breakOff(), breakOff(), breakOff()]);
  expect((await app.request('GET', '/api/export', { as: ada })).status).toBe(200);
});

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
  expect((await app.request('DELETE', '/api/me', { body: { password: PASSWORD } })).status).toBe(401);
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
  expect(JSON.stringify(await archive(again))).not.toMatch(/kiln|field-notes/iu);
  expect((await archive(again))['plan.json']).toContain('"subscriptionStatus":"free"');

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
  expect(await app.deps.db.select().from(tasks).where(eq(tasks.id, answer.body.task.id))).toEqual([]);
  await eventually(async () => expect(await tablesWith(owner.uid)).toEqual([]));
  expect(await tablesWith('kiln')).toEqual([]);
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
     from chat_sessions s, generate_series(1, 450), (select id from memories where text = 'Of the kiln' limit 1) m where s.id = $1`,
    [sessionId, JSON.stringify(item)],
  );
  await app.deps.database.executeSql(`
    create table at_once (name text, n int);
    create function note_at_once() returns trigger language plpgsql as $$ begin
      insert into at_once select tg_table_name, count(*) from rows_of_it; return null; end $$;
    create trigger noted after delete on memories referencing old table as rows_of_it for each statement execute function note_at_once();
    create trigger noted after delete on tasks referencing old table as rows_of_it for each statement execute function note_at_once();
    create trigger noted_update after update on tasks referencing new table as rows_of_it for each statement execute function note_at_once()`);
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
    const most = await rowsOf(
      `select name, max(n) as n, sum(n)::int >= 450 as many from at_once group by name order by name`,
    );
    expect(most).toEqual([
      { name: 'memories', n: 200, many: true },
      { name: 'tasks', n: 200, many: true },
    ]);
  } finally {
    await app.deps.database.executeSql('drop table at_once; drop function note_at_once() cascade');
  }
});

test('erasing goes on where it was broken off: at any table, and when the files can’t be reached', async () => {
  const { owner } = await fullAccount(app);
  const release = await holdErasing();
  await erase(owner);
  const counted = async () => (await tablesWith(owner.uid)).length;
  for (const broken of leftRows('').keys()) {
    let transactions = 0;
    const db = new Proxy(app.deps.db, {
      get: (target, name) => {
        if (name === 'transaction' && (transactions += 1) > 1 + broken) throw new Error('killed');
        return Reflect.get(target, name, target);
      },
    });
    const before = await counted();
    await eraseAccount({ ...app.deps, db }, owner.uid).catch(() => {});
    expect(await counted()).toBeLessThanOrEqual(before);
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
