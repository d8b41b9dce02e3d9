import { v7 as uuidv7 } from 'uuid';
import { beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestApp, type TestUser } from '../../testing/harness.ts';
import { rememberingOf, textsOf } from '../../testing/remembering.ts';
import { createIndexClient } from './index/worker-client.ts';
import { recall, recallSoon } from './memory.service.ts';

let other: Pick<TestApp['deps'], 'db' | 'memoryIndex'>;
let ada: TestUser;
let bob: TestUser;

const app = await emptyApp();
beforeEach(async () => {
  // Nothing is loaded of them yet.
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUp('Bob')];
  other = { db: app.deps.db, memoryIndex: createIndexClient() };
  return () => {
    vi.restoreAllMocks();
    return other.memoryIndex.stop();
  };
});

const { query, openPlace, store, ask } = rememberingOf(
  () => app,
  () => ada,
);
const LISBON = 'Our holiday flat in Lisbon is on the Rua das Flores';

/** What the index worker of a process was asked for so far, in order. */
function spyOn(ctx: Pick<TestApp['deps'], 'memoryIndex'>) {
  const asked = vi.spyOn(ctx.memoryIndex, 'ask');
  return () => asked.mock.calls.map(([{ type }]) => type);
}
const isLoad = (type: string) => type === 'load';

it('recovers at the next recall when its index worker was killed', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  expect(await ask(place, 'Lisbon flat')).toHaveLength(1);
  await app.deps.memoryIndex.stop();
  expect(textsOf(await ask(place, 'Lisbon flat'))).toEqual([LISBON]);
});

it('leaves the memories of one agent whole under many writers and readers at once', async () => {
  const place = await openPlace();
  const reads: Promise<unknown>[] = [];
  for (let i = 0; i < 20; i += 1) {
    await store(place, `The flat number ${i} has a window`);
    reads.push(ask(place, 'flat window'), recall(other, { ...place, scope: 'agent', text: 'flat window', limit: 5 }));
  }
  await Promise.all(reads);
  for (const ctx of [app.deps, other]) {
    const found = await recall(ctx, { ...place, scope: 'agent', text: 'flat window', limit: 50 });
    expect(new Set(textsOf(found)).size).toBe(20);
  }
  const [agent] = await query('select memory_version from agents');
  expect(Number(agent?.memory_version)).toBe(20);
});

it('loads an index once, however many ask for it at once', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  const asked = spyOn(other);
  const found = await Promise.all(
    Array.from({ length: 5 }, () => recall(other, { ...place, scope: 'agent', text: 'Lisbon flat', limit: 5 })),
  );
  expect(found.map(textsOf)).toEqual(Array(5).fill([LISBON]));
  // What was said, and what stands in files.
  expect(asked().filter(isLoad)).toHaveLength(2);
});

const openSession = (sessionId: string, as: TestUser, more = '') =>
  app.request('GET', `/api/sessions/${sessionId}/tasks${more}`, { as });

it('has loaded what a session recalls from before its first question', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  const asked = spyOn(app.deps);
  expect((await openSession(place.sessionId, ada)).status).toBe(200);
  // Loaded, and asked once more.
  await eventually(() => expect(asked()).toEqual(['rank', 'load', 'load', 'rank']));
  expect(textsOf(await ask(place, 'Lisbon flat'))).toEqual([LISBON]);
  expect(asked().slice(4)).toEqual(['rank']);
});

it('loads nothing for somebody else, for older pages, or for an agent without memory', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  const asked = spyOn(app.deps);
  expect((await openSession(place.sessionId, bob)).status).toBe(404);
  const cursor = Buffer.from(JSON.stringify([new Date(), uuidv7()])).toString('base64url');
  expect((await openSession(place.sessionId, ada, `?cursor=${cursor}`)).status).toBe(200);
  await query('update agents set memory_enabled = false');
  expect((await openSession(place.sessionId, ada)).status).toBe(200);
  expect(asked()).toEqual([]);
});

it('loads for Free only what was said in the session', async () => {
  const [here, elsewhere] = [await openPlace(bob), await openPlace(bob)];
  await store(here, LISBON);
  await store(elsewhere, 'I ordered new running shoes');
  const asked = vi.spyOn(app.deps.memoryIndex, 'ask');
  await openSession(here.sessionId, bob);
  await eventually(() => expect(asked.mock.calls.at(-1)?.[0]).toMatchObject({ type: 'rank', version: 2 }));
  const packed = asked.mock.calls.map(([request]) => ('packed' in request ? request.packed : '')).join('');
  expect(packed).toContain(LISBON);
  expect(packed).not.toContain('running shoes');
});

/** As if loading took long: all of it but the newest waits until it is released. */
function holdLoads(ctx: Pick<TestApp['deps'], 'memoryIndex'>) {
  const client = ctx.memoryIndex;
  const ask = client.ask;
  const { promise, resolve } = Promise.withResolvers<void>();
  vi.spyOn(client, 'ask').mockImplementation(async (request) => {
    if (request.type === 'load' && !request.key.endsWith(' newest')) await promise;
    return ask(request);
  });
  return resolve;
}

/** An agent with more memories than are loaded at once: a bicycle long ago, a flat just now. */
async function openLargePlace() {
  const place = await openPlace();
  await store(place, 'My bicycle is green');
  await query(
    `insert into memories (user_id, id, agent_id, session_id, kind, text, version)
     select $1, gen_random_uuid(), $2, $3, 'person', 'Note number ' || i, 2 from generate_series(1, 12500) i`,
    place.userId,
    place.agentId,
    place.sessionId,
  );
  await query('update agents set memory_version = 2');
  await store(place, LISBON);
  return place;
}

it('answers from the newest of many memories while the others are loaded, says so, and has all of them later', async () => {
  const place = await openLargePlace();
  const release = holdLoads(app.deps);
  const soon = (text: string) => recallSoon(app.deps, { ...place, scope: 'agent', text, limit: 5 });
  const flat = await soon('Lisbon flat');
  expect([flat.partial, textsOf(flat.memories)[0]]).toEqual([true, LISBON]);
  const bicycle = await soon('green bicycle');
  expect(bicycle.partial).toBe(true);
  expect(textsOf(bicycle.memories)).not.toContain('My bicycle is green');

  const started = { agentId: 'field-notes', inputText: 'Where is our flat in Lisbon?' };
  const path = `/api/sessions/${place.sessionId}/tasks`;
  expect((await app.request('POST', path, { as: ada, body: started })).status).toBe(202);
  await eventually(async () => {
    const { tasks } = (await openSession(place.sessionId, ada)).body;
    expect(tasks).toMatchObject([{ status: 'done', memoryPartial: true }]);
    expect(textsOf(tasks[0].memoryUsed)[0]).toBe(LISBON);
  });

  release();
  await eventually(async () => {
    const { memories, partial } = await soon('green bicycle');
    expect([partial, textsOf(memories)[0]]).toEqual([false, 'My bicycle is green']);
  });
});

it('waits for all where there are few', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  const release = holdLoads(app.deps);
  const answer = recallSoon(app.deps, { ...place, scope: 'agent', text: 'Lisbon flat', limit: 5 });
  const first = await Promise.race([
    answer,
    recall(other, { ...place, scope: 'agent', text: 'Lisbon flat', limit: 5 }),
  ]);
  expect(first).not.toHaveProperty('partial');
  release();
  expect(await answer).toMatchObject({ partial: false, memories: [{ text: LISBON }] });
});
