import { beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { type Place, rememberingOf, textsOf } from '../../testing/remembering.ts';
import { recallSoon } from './memory.service.ts';
import { type Ahead, rankAhead } from './rank-ahead.service.ts';

let ada: TestUser;
let bob: TestUser;

const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUpPro('Bob')];
});

const { openPlace, store } = rememberingOf(
  () => app,
  () => ada,
);
/** As a run recalls, for a message that was announced, if it was. */
const ask = async (place: Place, text: string, ahead?: Ahead) =>
  (await recallSoon(app.deps, { ...place, scope: 'agent', limit: 5, text }, { ahead })).memories;

const LISBON = 'Our holiday flat in Lisbon is on the Rua das Flores';
const QUESTION = 'Where is the flat in Lisbon?';
/** How often the index is asked to rank while `work` runs. */
async function rankings(work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(app.deps.memoryIndex, 'ask');
  await work();
  const count = asked.mock.calls.filter(([request]) => request.type === 'rank').length;
  asked.mockRestore();
  return count;
}

it('ranks once for a message that was announced, and finds the same', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  const found = await ask(place, QUESTION);
  expect(textsOf(found)).toEqual([LISBON]);
  const count = await rankings(async () => {
    expect(await ask(place, QUESTION, rankAhead(app.deps, place, QUESTION))).toEqual(found);
  });
  expect(count).toBe(1);
});

it('begins nothing for a session that has not recalled yet, nor for somebody else’s', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  expect(rankAhead(app.deps, place, QUESTION)).toBeUndefined();
  await ask(place, QUESTION);
  expect(rankAhead(app.deps, { ...place, userId: bob.uid }, QUESTION)).toBeUndefined();
});

it('is not used for other words, nor after something was said or forgotten since', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  await ask(place, QUESTION);
  const other = rankAhead(app.deps, place, 'What shoes did I order?');
  expect(textsOf(await ask(place, QUESTION, other))).toEqual([LISBON]);

  const before = rankAhead(app.deps, place, QUESTION);
  const later = 'The flat in Lisbon has a red door';
  await store(place, later);
  expect(textsOf(await ask(place, QUESTION, before))).toEqual(expect.arrayContaining([LISBON, later]));

  const present = rankAhead(app.deps, place, QUESTION);
  expect((await app.request('DELETE', '/api/agents/field-notes', { as: ada })).status).toBeLessThan(300);
  // The agent's memories go with a job.
  await eventually(async () => expect(await ask(place, QUESTION, present)).toEqual([]));
});

it('is asked again when the worker ends in between', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  await ask(place, QUESTION);
  const ahead = rankAhead(app.deps, place, QUESTION);
  await app.deps.memoryIndex.stop();
  expect(textsOf(await ask(place, QUESTION, ahead))).toEqual([LISBON]);
});
