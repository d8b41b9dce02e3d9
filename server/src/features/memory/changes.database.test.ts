import { v7 as uuidv7 } from 'uuid';
import { beforeEach, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { afterVersion, findChanges, PORTION } from './changes.queries.ts';
import { unpackRows } from './index/packed-rows.ts';
import { remember } from './memory.service.ts';

let ada: TestUser;
let agentId: string;
let sessions: string[];

const app = await emptyApp();
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
  for (const _ of [1, 2]) await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'field-notes' } });
  const { rows } = await app.deps.database.executeSql('select id, agent_id from chat_sessions order by id');
  sessions = rows.map((row) => String(row.id));
  agentId = String(rows[0]?.agent_id);
});

async function store(texts: string[], session = 0, speaker?: string) {
  const entries = texts.map((text) => ({
    userId: ada.uid,
    agentId,
    sessionId: sessions[session] ?? '',
    kind: 'person' as const,
    text,
    timestamp: new Date('2026-03-04T05:06:07.890Z'),
    ...(speaker === undefined ? {} : { speaker }),
  }));
  await app.deps.db.transaction((tx) => remember(tx, entries));
}

const wanted = (more: { onlySession?: string } = {}) => ({
  userId: ada.uid,
  agentId,
  onlySession: null,
  space: null,
  ...more,
});

async function readAll(from: number, more: { onlySession?: string } = {}) {
  const portions = [];
  for (let after: ReturnType<typeof afterVersion> | undefined = afterVersion(from); after !== undefined; ) {
    const { packed, next } = await findChanges(app.deps.db, 'memories', wanted(more), after);
    portions.push(unpackRows(packed));
    after = next;
  }
  return portions;
}

it('gives each row once, in order, in portions, and nothing of another session or agent', async () => {
  const texts = Array.from({ length: PORTION + 20 }, (_, i) => `Boat number ${i}`);
  await store(texts);
  await store(['Elsewhere'], 1);
  const portions = await readAll(-1);
  expect(portions.map((rows) => rows.length)).toEqual([PORTION, 21]);
  expect(portions.flat().map((row) => row.text)).toEqual([...texts, 'Elsewhere']);
  expect((await readAll(1)).flat().map((row) => row.text)).toEqual(['Elsewhere']);
  expect((await readAll(2)).flat()).toEqual([]);
  expect((await readAll(-1, { onlySession: sessions[1] ?? '' })).flat().map((row) => row.text)).toEqual(['Elsewhere']);
  const nobody = { ...wanted(), agentId: uuidv7() };
  expect(await findChanges(app.deps.db, 'memories', nobody, afterVersion(-1))).toEqual({ packed: '', next: undefined });
});

it('reads a portion that is full to the last row to its end', async () => {
  await store(Array.from({ length: PORTION }, (_, i) => `Boat number ${i}`));
  expect((await readAll(-1)).map((rows) => rows.length)).toEqual([PORTION, 0]);
});

it('keeps whatever a text holds within its row, and the time to the millisecond', async () => {
  const text = 'A\u001eB\u001fC\nD\tE | “F” \\ \u0001 🦊';
  await store([text], 0, 'Ada\u001fX');
  const [[row]] = (await readAll(-1)) as [[ReturnType<typeof unpackRows>[number]]];
  expect(row).toMatchObject({
    text: 'A B C\nD\tE | “F” \\ \u0001 🦊',
    speaker: 'Ada X',
    at: Date.parse('2026-03-04T05:06:07.890Z'),
    kind: 'person',
    forgotten: false,
  });
});

it('tells what was forgotten, without its words', async () => {
  await store(['The boat is red']);
  const { memories } = (await app.request('GET', '/api/memories', { as: ada })).body;
  await app.request('DELETE', '/api/memories', { as: ada, body: { ids: memories.map((m: { id: string }) => m.id) } });
  expect((await readAll(1)).flat()).toMatchObject([{ forgotten: true, text: '' }]);
});
