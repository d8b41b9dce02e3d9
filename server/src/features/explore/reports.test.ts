import { asc } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { agentReports } from './explore.table.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp({ env: { ACCOUNT_BOUNDS: '1' } });
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUp('Bob')];
  await publish('Field Notes');
});

const publish = (name: string) => app.call(ada, 'POST', '/api/agents', { name, prompt: 'p', isPublic: true });
const report = (body: object = { kind: 'spam' }, as = bob, id = 'field-notes') =>
  app.request('POST', `/api/explore/${ada.uid}/${id}/report`, { as, body });
const stored = () => app.deps.db.select().from(agentReports).orderBy(asc(agentReports.createdAt));

test('is stored once for a person and an agent, also twice at once, with the words as they are cleaned', async () => {
  const both = await Promise.all([
    report({ kind: 'imitation', words: ' It is\u200B mine. ' }),
    report({ kind: 'imitation', words: 'It is mine.' }),
  ]);
  expect(both.map(({ status, body }) => [status, body])).toEqual([
    [204, ''],
    [204, ''],
  ]);
  expect((await report({ kind: 'other', words: 'Again.' })).status).toBe(204);
  expect(await stored()).toMatchObject([
    { userId: bob.uid, creatorId: ada.uid, kind: 'imitation', words: 'It is mine.', closedAt: null },
  ]);
  const seen = await app.request('GET', '/api/agents', { as: ada });
  expect(JSON.stringify(seen.body)).not.toContain(bob.uid);
});

test('needs another’s public agent, and a reason', async () => {
  const own = await report({ kind: 'spam' }, ada);
  expect([own.status, own.body.error.message]).toEqual([409, expect.stringContaining('your own agent')]);
  for (const body of [{}, { kind: 'envy' }, { kind: 'spam', words: 'x'.repeat(501) }, { kind: 'spam', more: 1 }])
    expect((await report(body)).status).toBe(400);
  expect((await report({ kind: 'spam' }, bob, 'nothing')).status).toBe(404);
  await app.call(ada, 'PUT', '/api/agents/field-notes', { isPublic: false });
  expect((await report()).status).toBe(404);
  expect(await stored()).toEqual([]);
});

test('is bounded by the day', async () => {
  const names = Array.from({ length: 11 }, (_, at) => `Agent ${at}`);
  for (const name of names) await publish(name);
  const ids = names.map((name) => name.toLowerCase().replace(' ', '-'));
  const answers = await Promise.all(ids.map((id) => report({ kind: 'spam' }, bob, id)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(204), 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.error.message).toBe(
    'You have reported 10 agents within a day, which is the most. Please try again in 24 hours.',
  );
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(86_000);
  expect(await stored()).toHaveLength(10);
  expect((await report({ kind: 'spam' }, await app.signUp('Eve'), ids[0])).status).toBe(204);
});

test('goes with its author’s account', async () => {
  await report();
  await app.request('DELETE', '/api/me', { as: bob, body: { password: 'correct horse' } });
  expect(await stored()).toEqual([]);
});
