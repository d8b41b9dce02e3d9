import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type FakeOpenAI, startFakeOpenAI } from './fake-openai.ts';
import { type TestApp, type TestUser, testApp } from './harness.ts';

/** An app with a model provider that the test controls. Before each test it is empty but for Ada, who has Pro. */
export function providedApp(env: Record<string, string> = {}) {
  const my = {} as { provider: FakeOpenAI; app: TestApp; ada: TestUser };
  beforeAll(async () => {
    my.provider = await startFakeOpenAI();
    const own = { OPENAI_BASE_URL: my.provider.url, OPENAI_API_KEY: 'sk-test-0123456789' };
    my.app = await testApp({ env: { ...own, ...env } });
  });
  afterAll(async () => {
    await my.app.close();
    await my.provider.close();
  });
  beforeEach(async () => {
    await my.app.reset();
    my.provider.reset();
    my.ada = await my.app.signUpPro('Ada');
  });
  const post = (path: string, body: object) => my.app.call(my.ada, 'POST', path, body);
  return Object.assign(my, {
    /** Creates the agent `field-notes`. */
    createAgent: () => post('/api/agents', { name: 'Field Notes', prompt: 'You help me' }),

    /** Opens a session of an agent; the answer sends a message there and gives the finished task. */
    async openSession(agentId = 'field-notes') {
      const sessionId = await my.app.startSession(my.ada, agentId);
      return async (inputText: string) => {
        const { task } = await post('/api/runAgentTask', { sessionId, agentId, inputText });
        expect(task.status).toBe('done');
        return task;
      };
    },

    /** What is known of Ada. */
    facts: async (): Promise<{ text: string; about: string }[]> =>
      (await my.app.call(my.ada, 'GET', '/api/facts')).facts,
  });
}
