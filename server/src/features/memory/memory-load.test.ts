import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { rememberingOf, textsOf } from '../../testing/remembering.ts';
import { closeMemory, indexClientOf, recall } from './memory.service.ts';

let app: TestApp;
let other: { db: TestApp['deps']['db']; processId: string };
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.reset();
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
  await app.grantPro(ada.uid);
  await closeMemory(app.deps);
  other = { db: app.deps.db, processId: uuidv7() };
  return () => Promise.all([closeMemory(app.deps), closeMemory(other)]);
});

const { query, openPlace, store, ask } = rememberingOf(
  () => app,
  () => ada,
);
const LISBON = 'Our holiday flat in Lisbon is on the Rua das Flores';

/** What the index worker of a process was asked for so far, in order. */
function spyOn(ctx: Parameters<typeof indexClientOf>[0]) {
  const asked = vi.spyOn(indexClientOf(ctx), 'ask');
  return () => asked.mock.calls.map(([{ type }]) => type);
}
const isLoad = (type: string) => type === 'load';

it('recovers at the next recall when its index worker was killed', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  expect(await ask(place, 'Lisbon flat')).toHaveLength(1);
  await indexClientOf(app.deps).stop();
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
  const asked = vi.spyOn(indexClientOf(app.deps), 'ask');
  await openSession(here.sessionId, bob);
  await eventually(() => expect(asked.mock.calls.at(-1)?.[0]).toMatchObject({ type: 'rank', version: 2 }));
  const packed = asked.mock.calls.map(([request]) => ('packed' in request ? request.packed : '')).join('');
  expect(packed).toContain(LISBON);
  expect(packed).not.toContain('running shoes');
});
