import { beforeEach, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUp('Bob')];
  for (const name of ['Field Notes', 'Cook']) {
    await app.request('POST', '/api/agents', { as: ada, body: { name, prompt: 'p' } });
  }
});

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  as: TestUser | undefined = ada,
) => app.request(method, path, { as, body });
const open = async (name: string, agentId = 'field-notes') =>
  (await call('POST', '/api/sessions', { agentId, name })).body.session.id as string;
const openAll = async (...names: string[]) => {
  const ids: string[] = [];
  for (const name of names) ids.push(await open(name));
  return ids;
};
const listed = async (query = '') => {
  const { sessions } = (await call('GET', `/api/sessions${query}`)).body;
  return sessions.map((s: { name: string }) => s.name);
};
const count = async () => (await call('GET', '/api/me')).body.usage.sessionCount;

it('pins, archives, moves and renames one', async () => {
  const id = await open('Norway');
  const { folder } = (await call('POST', '/api/folders', { name: 'Trips' })).body;
  const change = { name: 'Sweden', pinned: true, archived: true, folderId: folder.id };
  const answer = await call('PATCH', `/api/sessions/${id}`, change);
  expect([answer.status, answer.body.session]).toMatchObject([200, { id, ...change }]);
  expect((await call('PATCH', `/api/sessions/${id}`, { folderId: null })).body.session).toMatchObject({
    ...change,
    folderId: null,
  });
});

it('lists pinned ones first, by any filter, without gaps or repetitions over pages', async () => {
  const ids = await openAll('a', 'b', 'c', 'd', 'e', 'f');
  const cook = await open('g', 'cook');
  const { folder } = (await call('POST', '/api/folders', { name: 'Trips' })).body;
  await call('PATCH', '/api/sessions', { ids: [ids[0], ids[2], cook], pinned: true });
  await call('PATCH', '/api/sessions', { ids: [ids[1], ids[2]], folderId: folder.id });
  await call('PATCH', '/api/sessions', { ids: [ids[5]], archived: true });
  expect(await listed()).toEqual(['g', 'c', 'a', 'e', 'd', 'b']);
  expect(await listed('?archived=true')).toEqual(['f']);
  expect(await listed('?agentId=cook')).toEqual(['g']);
  expect(await listed(`?sessionId=${ids[5]}`)).toEqual(['f']);
  expect((await call('GET', `/api/sessions?sessionId=${ids[5]}`, undefined, bob)).body.sessions).toEqual([]);
  expect(await listed(`?folderId=${folder.id}`)).toEqual(['c', 'b']);
  expect(await listed('?folderId=none')).toEqual(['g', 'a', 'e', 'd']);
  const paged: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await call('GET', `/api/sessions?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    paged.push(...body.sessions.map((s: { name: string }) => s.name));
    cursor = body.nextCursor;
  }
  expect(paged).toEqual(['g', 'c', 'a', 'e', 'd', 'b']);
});

it('refuses filters that mean nothing', async () => {
  for (const query of [
    'archived=maybe',
    'folderId=trips',
    'cursor=pinned.x',
    'cursor=pinned.',
    'limit=0',
    'agentId=',
  ]) {
    expect([query, (await call('GET', `/api/sessions?${query}`)).status]).toEqual([query, 400]);
  }
});

it('numbers several that are renamed at once, in their order', async () => {
  const [a, b, c] = await openAll('a', 'b', 'c');
  await call('PATCH', '/api/sessions', { ids: [c, a, b], name: 'Norway' });
  expect(await listed()).toEqual(['Norway 1', 'Norway 3', 'Norway 2']);
  const long = await call('PATCH', '/api/sessions', { ids: [a, b], name: 'x'.repeat(200) });
  expect([long.status, long.body.error.message]).toEqual([
    400,
    'A number is added to each name, so it can have at most 198 characters.',
  ]);
  expect((await call('PATCH', '/api/sessions', { ids: [a], name: 'x'.repeat(200) })).status).toBe(200);
});

it('deletes several, counts once however often asked, and takes it back', async () => {
  const ids = await openAll('a', 'b', 'c');
  const answers = await Promise.all(Array.from({ length: 4 }, () => call('DELETE', '/api/sessions', { ids })));
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 404, 404, 404]);
  expect(answers.find((a) => a.status === 200)?.body.deleted.toSorted()).toEqual(ids.toSorted());
  expect([await count(), await listed()]).toEqual([0, []]);
  const back = await Promise.all(Array.from({ length: 3 }, () => call('POST', '/api/sessions/restore', { ids })));
  expect(back.map((a) => a.status).toSorted()).toEqual([200, 404, 404]);
  expect([await count(), await listed()]).toEqual([3, ['c', 'b', 'a']]);
});

it('restores all or none of a free account’s sessions, and counts archived ones', async () => {
  await call('POST', '/api/agents', { name: 'Free', prompt: 'p' }, bob);
  const openFree = () => call('POST', '/api/sessions', { agentId: 'free' }, bob);
  const ids = [await openFree(), await openFree()].map((a) => a.body.session.id);
  await call('DELETE', '/api/sessions', { ids }, bob);
  for (const answer of [await openFree(), await openFree()]) {
    await call('PATCH', `/api/sessions/${answer.body.session.id}`, { archived: true }, bob);
  }
  expect((await call('POST', '/api/sessions/restore', { ids }, bob)).status).toBe(402);
  expect((await call('GET', '/api/me', undefined, bob)).body.usage.sessionCount).toBe(2);
  expect((await call('POST', '/api/sessions/restore', { ids: ids.slice(1) }, bob)).status).toBe(200);
  expect((await openFree()).status).toBe(402);
});

it('changes only the caller’s own, and leaves out what is gone', async () => {
  const [a, b] = await openAll('a', 'b');
  await call('DELETE', `/api/sessions/${b}`);
  const changed = await call('PATCH', '/api/sessions', { ids: [a, b], pinned: true });
  expect([changed.status, changed.body.sessions.map((s: { id: string }) => s.id)]).toEqual([200, [a]]);
  for (const [method, path, body] of [
    ['PATCH', '/api/sessions', { ids: [a], name: 'mine' }],
    ['DELETE', '/api/sessions', { ids: [a] }],
    ['POST', '/api/sessions/restore', { ids: [b] }],
  ] as const) {
    expect((await call(method, path, body, bob)).status).toBe(404);
  }
  expect(await listed()).toEqual(['a']);
});

it('refuses malformed and endless requests with a sentence', async () => {
  const id = await open('a');
  const many = (n: number) => Array.from({ length: n }, () => id);
  for (const body of [
    { ids: [id] },
    { ids: [], pinned: true },
    { ids: ['x'], pinned: true },
    { ids: [id], name: ' ' },
  ]) {
    expect((await call('PATCH', '/api/sessions', body)).status).toBe(400);
  }
  expect((await call('PATCH', `/api/sessions/${id}`, {})).body.error.message).toMatch(/^Say what to change/u);
  const over = await call('DELETE', '/api/sessions', { ids: many(501) });
  expect([over.status, over.body.error.message]).toEqual([400, 'One call can change at most 500 sessions.']);
});
