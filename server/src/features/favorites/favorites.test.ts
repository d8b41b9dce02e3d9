import { favoriteAnswer, favoritesAnswer } from '@atelier/contract/favorites';
import { count } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { agents } from '../agents/agents.table.ts';
import { favorites } from './favorites.table.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUp('Bob')];
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p', isPublic: true } });
});

const path = (id = 'field-notes') => `/api/favorites/${ada.uid}/${id}`;
const put = (as: TestUser = bob, id?: string) => app.request('PUT', path(id), { as });
const remove = (as: TestUser = bob, id?: string) => app.request('DELETE', path(id), { as });
const counted = async () => (await app.deps.db.select().from(agents))[0]?.favoriteCount;
const records = async () => (await app.deps.db.select({ n: count() }).from(favorites))[0]?.n;
const listed = async (as = bob) => (await app.request('GET', '/api/favorites', { as })).body;

it('counts once a person, however often it is asked, and takes it back once', async () => {
  const first = await put();
  expect(first.status).toBe(200);
  expect(favoriteAnswer.parse(first.body).favorite).toMatchObject({
    creatorId: ada.uid,
    agentId: 'field-notes',
    agent: { favoriteCount: 1, favorited: true, creatorName: 'Ada' },
  });
  const again = await put();
  expect(again.body.favorite.favoritedAt).toBe(first.body.favorite.favoritedAt);
  await put(ada);
  expect(await counted()).toBe(2);
  expect([(await remove()).status, (await remove()).status, await counted()]).toEqual([204, 204, 1]);
});

it('keeps the count equal to the records under 200 parallel calls of 20 people', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, (_, i) => app.signUp(`P${i}`)));
  // A fixed mixture: every person toggles ten times, ending on either side.
  const calls = Array.from({ length: 200 }, (_, i) => {
    const as = people[i % 20];
    return ((i * 7919) >> 3) % 3 === 0 ? remove(as) : put(as);
  });
  const statuses = new Set((await Promise.all(calls)).map((answer) => answer.status));
  expect([...statuses].toSorted()).toEqual([200, 204]);
  expect(await counted()).toBe(await records());
  await Promise.all(people.map((as) => remove(as)));
  expect([await counted(), await records()]).toEqual([0, 0]);
});

it('lists what is still public, latest first, by pages, and keeps the records of the rest', async () => {
  for (const name of ['A', 'B', 'C']) {
    await app.request('POST', '/api/agents', { as: ada, body: { name, prompt: 'p', isPublic: true } });
    await put(bob, name.toLowerCase());
  }
  await put();
  expect(favoritesAnswer.parse(await listed()).favorites.map((f) => f.agentId)).toEqual(['field-notes', 'c', 'b', 'a']);
  const first = (await app.request('GET', '/api/favorites?limit=3', { as: bob })).body;
  const second = (await app.request('GET', `/api/favorites?limit=3&cursor=${first.nextCursor}`, { as: bob })).body;
  expect([first, second].map((p) => p.favorites.length)).toEqual([3, 1]);
  expect((await listed(ada)).favorites).toEqual([]);

  await app.request('PUT', '/api/agents/b', { as: ada, body: { isPublic: false } });
  await app.request('DELETE', '/api/agents/c', { as: ada });
  expect((await listed()).favorites.map((f: { agentId: string }) => f.agentId)).toEqual(['field-notes', 'a']);
  expect(await records()).toBe(4);
  expect((await remove(bob, 'b')).status).toBe(204);
  expect(await records()).toBe(3);
});

it('goes down when a fan’s account is deleted', async () => {
  await put();
  await put(ada);
  await app.request('DELETE', '/api/me', { as: bob, body: { password: PASSWORD } });
  await eventually(async () => expect([await counted(), await records()]).toEqual([1, 1]));
});

it('refuses what is private, unknown or malformed', async () => {
  await app.request('PUT', '/api/agents/field-notes', { as: ada, body: { isPublic: false } });
  for (const id of ['field-notes', 'nothing', '%zz']) expect((await put(bob, id)).status).toBe(404);
  expect((await put(ada)).status).toBe(404);
  expect(await counted()).toBe(0);
  expect((await app.request('GET', '/api/favorites?cursor=x', { as: bob })).status).toBe(400);
});

it('tells the fan’s and everybody’s open pages', async () => {
  const heard: unknown[] = [];
  const stop = app.deps.live.subscribe(bob.uid, (message) => heard.push(message.data));
  await put();
  const id = `${ada.uid}/field-notes`;
  // Notices to everybody are merged: together with another agent's, it says that all may have changed.
  await expect.poll(() => heard).toContainEqual({ topic: 'explore', id: expect.stringMatching(`^(${id})?$`) });
  await expect.poll(() => heard).toContainEqual({ topic: 'favorites', id });
  stop();
});
