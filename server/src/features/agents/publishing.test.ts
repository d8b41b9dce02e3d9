import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { agents } from './agents.table.ts';

let ada: TestUser;
const app = await emptyApp({ env: { ACCOUNT_BOUNDS: '1' } });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
});

const MOST = 20;
const create = (name: string, isPublic = true) =>
  app.request('POST', '/api/agents', { as: ada, body: { name, prompt: 'p', isPublic } });
const change = (id: string, body: object) => app.request('PUT', `/api/agents/${id}`, { as: ada, body });
const shared = () => app.deps.db.$count(agents, eq(agents.isPublic, true));

test('an account publishes twenty agents a day, however it does, also at once', async () => {
  expect((await create('Draft', false)).status).toBe(201);
  const answers = await Promise.all(Array.from({ length: MOST + 3 }, (_, at) => create(`Agent ${at}`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MOST);
  const refused = answers.find(({ status }) => status === 429);
  expect([refused?.body.error.code, refused?.body.error.message]).toEqual([
    'too_many_requests',
    'You have published 20 agents within a day, which is the most. Please try again in 24 hours.',
  ]);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(86_000);
  expect((await change('draft', { isPublic: true })).status).toBe(429);
  expect((await change('draft', { name: 'Drafts' })).status).toBe(200);
  const [one] = answers.filter(({ status }) => status === 201).map(({ body }) => body.agent.id);
  await change(one, { isPublic: false });
  expect((await change('draft', { isPublic: true })).status, 'another one instead').toBe(429);
  expect((await change(one, { isPublic: true, name: 'Renamed' })).status, 'the same again').toBe(200);
  await app.request('DELETE', `/api/agents/${one}`, { as: ada });
  expect((await create('Instead')).status, 'after a deletion').toBe(429);
  expect(await shared()).toBe(MOST - 1);
  await app.deps.db
    .update(agents)
    .set({ publishedAt: sql`now() - interval '25 hours'` })
    .where(eq(agents.userId, ada.uid));
  expect((await change('draft', { isPublic: true })).status, 'the next day').toBe(200);
});
