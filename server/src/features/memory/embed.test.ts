import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeOpenAI, startFakeOpenAI } from '../../testing/fake-openai.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { embedRest } from './embed.service.ts';
import { memoryVectors } from './memory.table.ts';

let provider: FakeOpenAI;
let app: TestApp;
let ada: TestUser;
let sessionId: string;
const env = (model: string) => ({
  OPENAI_BASE_URL: provider.url,
  OPENAI_API_KEY: 'sk-x',
  EMBEDDING_MODEL: model,
  MODEL_TIMEOUT_MS: '1000',
});
beforeAll(async () => {
  provider = await startFakeOpenAI();
  app = await testApp({ env: env('first') });
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
beforeEach(async () => {
  provider.reset();
  await app.reset();
  ada = await app.signUp('Ada');
  await app.grantPro(ada.uid);
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Notes', prompt: 'p' } });
  sessionId = await startSession();
});

const startSession = async () =>
  (await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'notes' } })).body.session.id;
const ask = async (inputText: string, on = app) => {
  const body = { sessionId, agentId: 'notes', inputText };
  return (await on.request('POST', '/api/runAgentTask', { as: ada, body })).body.task;
};
const status = async (on = app) => (await on.request('GET', '/api/memories/status', { as: ada })).body.embedding;
const vectors = () => app.deps.db.select().from(memoryVectors);
/** Waits until every memory has its vector. */
const settled = async (on = app) => {
  await expect
    .poll(async () => ((s) => s.total > 0 && s.done === s.total)(await status(on)), { timeout: 20_000 })
    .toBe(true);
};
const used = (task: { memoryUsed: { text: string }[] }) => task.memoryUsed.map((item) => item.text);

const PEANUTS = 'My sister is allergic to peanuts';
/** No word in common with it. */
const OTHER_WORDS = 'Sibling intolerant nuts?';

describe('embeddings', () => {
  it('are made behind the answer, in batches, and find what shares no word with the question', async () => {
    await ask(PEANUTS);
    await ask('The railway leaves at seven');
    await settled();
    expect(await status()).toMatchObject({ model: 'first' });
    sessionId = await startSession();
    const task = await ask(OTHER_WORDS);
    expect(used(task)).toContain(PEANUTS);
    const asked = provider.requests.filter((r) => r.path.endsWith('/embeddings'));
    expect(asked.some((r) => (r.body.input?.length ?? 0) > 1)).toBe(true);
  });

  it('of another model are made anew, words alone meanwhile, and spaces are never mixed', async () => {
    await ask(PEANUTS);
    await settled();
    const before = (await vectors()).length;
    const second = await testApp({ env: env('second'), database: app.deps.database });
    expect(await status(second)).toMatchObject({ model: 'second', done: 0, total: before });
    sessionId = await startSession();
    expect(used(await ask(OTHER_WORDS, second))).not.toContain(PEANUTS);
    await embedRest(second.deps);
    expect(new Set((await vectors()).map((row) => row.space))).toEqual(new Set(['second']));
    sessionId = await startSession();
    expect(used(await ask(OTHER_WORDS, second))).toContain(PEANUTS);
    await second.close();
  });

  it('go with what is forgotten', async () => {
    await ask(PEANUTS);
    await settled();
    const { memories } = (await app.request('GET', '/api/memories', { as: ada })).body;
    const ids = memories.map((m: { id: string }) => m.id);
    await app.request('DELETE', '/api/memories', { as: ada, body: { ids } });
    expect(await vectors()).toEqual([]);
    sessionId = await startSession();
    expect(used(await ask(OTHER_WORDS))).toEqual([]);
  });

  it('never fail a run: with a provider that makes none, words find what they can', async () => {
    for (const embeddings of ['fail', 'silence'] as const) {
      provider.behave({ embeddings });
      await ask(`${PEANUTS}, ${embeddings}`);
      sessionId = await startSession();
      const task = await ask('What is my sister allergic to?');
      expect([embeddings, task.status]).toEqual([embeddings, 'done']);
      expect(used(task)).toContain(`${PEANUTS}, ${embeddings}`);
    }
    expect(await vectors()).toEqual([]);
  });
});
