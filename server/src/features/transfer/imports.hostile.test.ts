import { and, eq } from 'drizzle-orm';
import { strToU8, zipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, ORIGIN, type TestUser } from '../../testing/harness.ts';
import { agents } from '../agents/agents.table.ts';
import { memories } from '../memory/memory.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
});

const AGENT = '01900000-0000-7000-8000-000000000001';
const SESSION = '01900000-0000-7000-8000-000000000002';
const TASK = '01900000-0000-7000-8000-000000000003';
const MEMORY = '01900000-0000-7000-8000-000000000004';
const at = '2026-01-01T00:00:00.000Z';

const agent = {
  format: 'atelier.agent',
  version: 1,
  agent: { name: 'N', prompt: 'P', model: 'gpt-4', tags: [], tools: [], temperature: 1, memoryEnabled: true },
};
const session = { id: SESSION, agentId: AGENT, name: 'S', nameSource: 'person', createdAt: at, deletedAt: null };
const exchange = {
  id: TASK,
  agentId: AGENT,
  sessionId: SESSION,
  agentName: 'N',
  inputText: 'Hi',
  message: 'Hello',
  status: 'done',
  model: 'gpt-4',
  memoryUsed: [],
  memoryPartial: false,
  toolCalls: [],
  tokenUsage: null,
  error: null,
  retryOf: null,
  without: [],
  createdAt: at,
  finishedAt: at,
};
const memory = {
  id: MEMORY,
  agentId: AGENT,
  sessionId: SESSION,
  taskId: TASK,
  kind: 'person',
  speaker: null,
  text: 'Hi',
  pinned: false,
  originId: null,
  createdAt: at,
  forgottenAt: null,
};
const lines = (...rows: unknown[]) =>
  strToU8(`[\n${rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join(',\n')}\n]\n`);

/** An archive as it should be, with some parts replaced or, by null, left out. */
function archive(changes: Record<string, Uint8Array | null> = {}): Uint8Array {
  const parts: Record<string, Uint8Array | null> = {
    'archive.json': strToU8(JSON.stringify({ format: 'atelier.account', version: 1, madeAt: at })),
    [`agents/${AGENT}-N.agent.json`]: strToU8(JSON.stringify(agent)),
    'sessions.json': lines(session),
    'exchanges.json': lines(exchange),
    'memories.json': lines(memory),
    ...changes,
  };
  return zipSync(
    Object.fromEntries(Object.entries(parts).flatMap(([name, part]) => (part === null ? [] : [[name, part]]))),
  );
}

async function upload(data: Uint8Array, as: TestUser | undefined = ada, more: Record<string, string> = {}) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(data)]), 'a.zip');
  const headers = { origin: ORIGIN, ...(as && { cookie: as.cookie }), ...more };
  const response = await app.app.request(`${ORIGIN}/api/imports`, { method: 'POST', headers, body: form });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function bring(data: Uint8Array) {
  const { status, body } = await upload(data);
  expect([status, body.error?.message]).toEqual([201, undefined]);
  await app.request('POST', `/api/imports/${body.import.id}/start`, { as: ada });
  let report: typeof body.import;
  await eventually(async () => {
    report = (await app.request('GET', '/api/imports', { as: ada })).body.import;
    expect(report.state).not.toBe('running');
  });
  return report;
}

/** The archive with the size that its directory names for a part replaced. */
function withSize(data: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(data);
  // The name's last place is in the directory, 46 bytes after its entry begins; the unpacked size is at byte 24.
  bytes.writeUInt32LE(size, bytes.lastIndexOf(name) - 46 + 24);
  return bytes;
}

/** The archive with another number of parts in its end record, which is its last 22 bytes. */
function withParts(data: Uint8Array, count: number): Uint8Array {
  const bytes = Buffer.from(data);
  for (const place of [8, 10]) bytes.writeUInt16LE(count, bytes.length - 22 + place);
  return bytes;
}

const NOT_OURS = 'This is not an account archive of Atelier.';
const DAMAGED = 'This archive is damaged or incomplete. Export it once more and try again.';
const TOO_MUCH = 'This archive holds more than this server takes in one import.';
const manifest = (change: object) =>
  strToU8(JSON.stringify({ format: 'atelier.account', version: 1, madeAt: at, ...change }));

describe('an archive is refused, and nothing is stored,', () => {
  it.each([
    ['which is none', () => strToU8('not a zip'), NOT_OURS],
    ['which is empty', () => new Uint8Array(0), NOT_OURS],
    ['which is cut off', () => archive().slice(0, 300), NOT_OURS],
    ['without its first file', () => archive({ 'archive.json': null }), NOT_OURS],
    ['of another format', () => archive({ 'archive.json': manifest({ format: 'other' }) }), NOT_OURS],
    ['of a later version', () => archive({ 'archive.json': manifest({ version: 2 }) }), /made by a newer version/u],
    ['with words without end', () => withSize(archive(), 'memories.json', 0x3000_0000), TOO_MUCH],
    ['which is larger than it says', () => withSize(archive(), 'memories.json', 10), DAMAGED],
    ['of too many parts', () => withParts(archive(), 20_001), TOO_MUCH],
  ])('%s', async (_what, make, sentence) => {
    const { status, body } = await upload(make());
    expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid_input', 'file']);
    expect(body.error.message).toMatch(sentence);
    expect((await app.request('GET', '/api/imports', { as: ada })).body.import).toBeNull();
  });

  it('which is too large, before it is read', async () => {
    const { status, body } = await upload(archive(), ada, { 'content-length': String(2 ** 31) });
    expect([status, body.error.message]).toEqual([413, 'An archive can have at most 1.5 GB.']);
  });

  it('sent without a file', async () => {
    const empty = await app.request('POST', '/api/imports', { as: ada, body: {} });
    expect([empty.status, empty.body.error.field]).toEqual([400, 'file']);
  });
});

it('belongs to the one who uploaded it', async () => {
  const { body } = await upload(archive());
  const path = `/api/imports/${body.import.id}`;
  for (const [method, end] of [
    ['POST', '/start'],
    ['POST', '/stop'],
    ['DELETE', ''],
  ] as const) {
    expect((await app.request(method, `${path}${end}`, { as: bob })).status).toBe(404);
    expect((await app.request(method, `/api/imports/nothing${end}`, { as: ada })).status).toBe(404);
  }
  expect((await app.request('GET', '/api/imports', { as: bob })).body.import).toBeNull();
  expect((await app.request('GET', '/api/imports', { as: ada })).body.import.state).toBe('ready');
});

it('leaves out rows that are wrong, each by itself, and takes the rest', async () => {
  const other = (row: object, change: object) => ({ ...row, id: crypto.randomUUID(), ...change });
  const report = await bring(
    archive({
      [`agents/${crypto.randomUUID()}-bad.agent.json`]: strToU8('{"format":"atelier.agent"'),
      [`agents/${crypto.randomUUID()}-more.agent.json`]: strToU8(JSON.stringify({ ...agent, isPublic: true })),
      'sessions.json': lines(
        session,
        session,
        other(session, { name: 7 }),
        other(session, { agentId: MEMORY }),
        '{',
        'null',
      ),
      'exchanges.json': lines(
        exchange,
        other(exchange, { inputText: 'x'.repeat(32_001) }),
        other(exchange, { message: 'a\0b' }),
        other(exchange, { sessionId: MEMORY }),
        other(exchange, { toolCalls: [{ id: 1 }] }),
        '{"__proto__":{"id":"x"}}',
        '"text"',
      ),
      'memories.json': lines(memory, other(memory, { kind: 'file' }), other(memory, { text: 'x'.repeat(2_001) })),
    }),
  );
  expect([report.state, report.error]).toEqual(['done', undefined]);
  const counts = report.counts.map((count: Record<string, unknown>) => [count.kind, count.imported, count.left]);
  expect(counts.slice(0, 5)).toEqual([
    ['agents', 1, 2],
    ['sessions', 1, 5],
    ['exchanges', 1, 6],
    ['summaries', 0, 0],
    ['memories', 1, 2],
  ]);
});

it('decides nothing that is the server’s: owner, plan, counts, leases, times to come, publicity', async () => {
  const claims = { userId: bob.uid, isPublic: true, favoriteCount: 9, version: 99, memoryVersion: 99 };
  const future = '9999-01-01T00:00:00.000Z';
  const lease = { leaseOwner: MEMORY, leaseUntil: future, approvals: { x: 'once' }, readUntrusted: false };
  await bring(
    archive({
      'account.json': lines({ id: bob.uid, email: bob.email }),
      'plan.json': lines({ userId: ada.uid, subscriptionStatus: 'pro', subscriptionTier: 'pro' }),
      'usage.json': lines({ userId: ada.uid, messageCount: -100, taskCount: -100, sessionCount: -100 }),
      'sessions.json': lines({ ...session, ...claims, createdAt: future }),
      'exchanges.json': lines({ ...exchange, ...claims, ...lease, status: 'running', createdAt: future }),
      'memories.json': lines({ ...memory, ...claims }),
    }),
  );
  const { db } = app.deps;
  for (const table of [agents, sessions, tasks, memories]) {
    expect(await db.select().from(table).where(eq(table.userId, bob.uid))).toEqual([]);
    const [own] = await db.select().from(table).where(eq(table.userId, ada.uid));
    expect([AGENT, SESSION, TASK, MEMORY]).not.toContain(own?.id);
  }
  const [task] = await db.select().from(tasks).where(eq(tasks.userId, ada.uid));
  expect(task).toMatchObject({
    status: 'interrupted',
    leaseOwner: null,
    leaseUntil: null,
    approvals: {},
    readUntrusted: true,
  });
  expect(task?.createdAt.getTime()).toBeLessThanOrEqual(Date.now());
  const [remembered] = await db.select().from(memories).where(eq(memories.userId, ada.uid));
  expect(remembered?.version).toBe(1);
  const me = (await app.request('GET', '/api/me', { as: ada })).body;
  expect(me.account).toMatchObject({ subscriptionStatus: 'free', agentsCreated: 1 });
  expect(me.usage).toEqual({ messageCount: 0, taskCount: 0, sessionCount: 1 });
  expect((await app.request('GET', '/api/agents', { as: ada })).body.agents).toMatchObject([
    { isPublic: false, favoriteCount: 0, creatorId: ada.uid },
  ]);
});

it('pins no more than a person can', async () => {
  const rows = Array.from({ length: 30 }, () => ({ ...memory, id: crypto.randomUUID(), pinned: true }));
  await bring(archive({ 'memories.json': lines(...rows) }));
  const pinned = await app.deps.db
    .select()
    .from(memories)
    .where(and(eq(memories.userId, ada.uid), memories.pinned));
  expect(pinned).toHaveLength(20);
});
