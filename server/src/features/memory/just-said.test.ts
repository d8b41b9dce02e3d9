import { beforeEach, describe, expect, it } from 'vitest';
import { startFakeOpenAI } from '../../testing/fake-openai.ts';
import { emptyApp, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { memoryVectors } from './memory.table.ts';

let app: TestApp;
let ada: TestUser;
const provider = await closing(startFakeOpenAI());
/** A process without embeddings: what is said to it gets no vectors for now, as while the job behind the answer is late. */
const silent = await emptyApp();
beforeEach(async () => {
  provider.reset();
  // An embedder remembers that it failed: each test has one of its own.
  const env = {
    OPENAI_BASE_URL: provider.url,
    OPENAI_API_KEY: 'sk-x',
    EMBEDDING_MODEL: 'fake',
    EMBEDDING_DIMENSIONS: '64',
  };
  app = await testApp({ env, database: silent.deps.database });
  ada = await app.signUpPro('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Notes', prompt: 'p' } });
  return () => app.close();
});

async function ask(inputText: string, as = ada, by = app) {
  const { session } = (await by.request('POST', '/api/sessions', { as, body: { agentId: 'notes' } })).body;
  const body = { sessionId: session.id, agentId: 'notes', inputText };
  return (await by.request('POST', '/api/runAgentTask', { as, body })).body.task;
}
const used = (task: { memoryUsed: { text: string }[] }) => task.memoryUsed.map((item) => item.text);
const embeddingRequests = () => provider.requests.filter((request) => request.path.endsWith('/embeddings'));
const vectors = () => app.deps.db.select().from(memoryVectors);

const PEANUTS = 'My sister is allergic to peanuts';
/** No word in common with it. */
const OTHER_WORDS = 'Sibling intolerant nuts?';

const say = (text: string, as = ada) => ask(text, as, silent);

describe('what was just said', () => {
  it('is found by meaning before the job has made its vector, in the same request as the question', async () => {
    await say(PEANUTS);
    expect(await vectors()).toEqual([]);
    expect(used(await ask(OTHER_WORDS))).toContain(PEANUTS);
    expect(embeddingRequests()[0]?.body.input).toEqual(expect.arrayContaining([OTHER_WORDS, PEANUTS]));
  });

  it('goes along at most sixteen at a time, and never what somebody else said', async () => {
    const bob = await app.signUpPro('Bob');
    await app.request('POST', '/api/agents', { as: bob, body: { name: 'Notes', prompt: 'p' } });
    await say(Array.from({ length: 30 }, (_, i) => `Part ${i} ${'word '.repeat(180)}.`).join('\n\n'));
    await say('A secret of Bob', bob);
    await ask('What about it?');
    const asked = embeddingRequests().find(({ body }) => body.input?.[0] === 'What about it?');
    expect(asked?.body.input).toHaveLength(17);
    expect(asked?.body.input).not.toContain('A secret of Bob');
  });

  it.each(['fail', 'too-few', 'too-short', 'infinite'] as const)(
    'is found by its words where the embeddings are “%s”, and the run is done',
    async (embeddings) => {
      await say(PEANUTS);
      provider.behave({ embeddings });
      const task = await ask('What is my sister allergic to?');
      expect([task.status, used(task)]).toEqual(['done', expect.arrayContaining([PEANUTS])]);
    },
  );

  it('is not waited for while the provider is known to fail', async () => {
    await say(PEANUTS);
    provider.behave({ embeddings: 'fail' });
    await expect(app.deps.models.embedder?.embed(['x'], AbortSignal.timeout(1_000))).rejects.toThrow();
    await ask(OTHER_WORDS);
    expect(embeddingRequests().some(({ body }) => body.input?.includes(OTHER_WORDS))).toBe(false);
  });
});
