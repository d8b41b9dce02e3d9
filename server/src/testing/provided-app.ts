import type { Fact } from '@atelier/contract/facts';
import { tasksAnswer } from '@atelier/contract/runs';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { eventually } from './eventually.ts';
import { type FakeBehaviour, type FakeOpenAI, startFakeOpenAI } from './fake-openai.ts';
import { type TestApp, type TestUser, testApp } from './harness.ts';

/** An app with a model provider that the test controls. Before each test it is empty but for Ada, who has Pro. */
export function providedApp(env: Record<string, string> = {}, behaviour: Partial<FakeBehaviour> = {}) {
  const my = {} as { provider: FakeOpenAI; app: TestApp; ada: TestUser };
  beforeAll(async () => {
    my.provider = await startFakeOpenAI(behaviour);
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

    /** Opens a session of a new agent: how to send a message there, by any process, and to wait for its answer. */
    async converse(model: string, { as = my.ada, by = my.app } = {}) {
      const { agent } = await my.app.call(as, 'POST', '/api/agents', {
        name: `Notes ${model}`,
        prompt: 'Help.',
        model,
      });
      const path = `/api/sessions/${await my.app.startSession(as, agent.id)}/tasks`;
      const say = (inputText: string, headers: Record<string, string> = {}) =>
        by.request('POST', path, { as, headers, body: { agentId: agent.id, inputText } });
      const ended = () =>
        eventually(async () => {
          const { tasks } = tasksAnswer.parse((await my.app.request('GET', path, { as })).body);
          const task = tasks.at(-1);
          if (task === undefined || !['done', 'failed'].includes(task.status)) throw new Error('not yet');
          return task;
        });
      return { agent, path, say, ended };
    },

    /** What is known of Ada. */
    facts: async (): Promise<Fact[]> => (await my.app.call(my.ada, 'GET', '/api/facts')).facts,
  });
}
