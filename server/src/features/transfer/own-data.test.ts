import { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { agentFile } from '@atelier/contract/agents/agent-file';
import { eq, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { countStatements } from '../../testing/count-statements.ts';
import { effort } from '../../testing/effort.ts';
import { fullAccount, MEDIA } from '../../testing/every-route.ts';
import { emptyApp, ORIGIN, type TestUser } from '../../testing/harness.ts';
import { pictureOf } from '../../testing/pictures.ts';
import { authSession } from '../accounts/accounts.identity.table.ts';
import { agents } from '../agents/agents.table.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { remainingRows } from '../removal/removal.queries.ts';
import { tasks } from '../runs/runs.table.ts';
import { ownRows } from './own-rows.queries.ts';
import { NOT_EXPORTED, OWN_TABLES } from './own-tables.table.ts';

const app = await emptyApp();

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
  const inTurn = remainingRows('').map(([table]) => getTableConfig(table).name);
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

test('an empty account has an archive, too', async () => {
  const owner = await app.signUp();
  const { value, counted } = await countStatements(() => archive(owner));
  expect(value['agents.json']).toBe('[]\n');
  // One asks which tables have rows, so that not each of them is asked.
  expect(counted.statements).toBeLessThan(OWN_TABLES.length / 2);
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
  for (let i = 0; i < effort(20, 80); i += 1) await Promise.all([breakOff(), breakOff(), breakOff()]);
  expect((await app.request('GET', '/api/export', { as: ada })).status).toBe(200);
});

test('an archive that is being sent ends with the sign-in', async () => {
  const ada = await app.signUp('Ada');
  const headers = { cookie: ada.cookie, origin: ORIGIN, 'content-type': 'image/png' };
  await app.app.request(`${ORIGIN}/api/me/photo`, { method: 'PUT', headers, body: pictureOf('png', 96, 96) });
  const endless = async function* () {
    for (;;) yield await setImmediate(Buffer.alloc(1_000));
  };
  vi.spyOn(app.deps.storage, 'get').mockImplementationOnce(async () => Readable.from(endless()));
  const { body } = await app.app.request(`${ORIGIN}/api/export`, { headers: { cookie: ada.cookie } });
  const reader = body?.getReader();
  await reader?.read();
  await app.deps.db.delete(authSession);
  const read = async (): Promise<void> => ((await reader?.read())?.done ? undefined : read());
  await expect(read()).rejects.toThrow('Please log in first.');
});
