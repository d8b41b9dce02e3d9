import { tasksAnswer } from '@atelier/contract/runs';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { eventually } from './eventually.ts';
import { type FakeBehaviour, type FakeOpenAI, startFakeOpenAI } from './fake-openai.ts';
import { type TestApp, type TestUser, testApp } from './harness.ts';

/** An app with a model provider that the test controls. Before each test it is empty but for Ada, who has Pro. */
export function providedApp(env: Record<string, string> = {}, behaviour: Partial<FakeBehaviour> = {}) {
  let provider: FakeOpenAI;
  let app: TestApp;
  let ada: TestUser;
  beforeAll(async () => {
    provider = await startFakeOpenAI(behaviour);
    app = await testApp({ env: { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-test-0123456789', ...env } });
  });
  afterAll(async () => {
    await app.close();
    await provider.close();
  });
  beforeEach(async () => {
    await app.reset();
    provider.reset();
    ada = await app.signUpPro('Ada');
  });
  return {
    get provider() {
      return provider;
    },
    get app() {
      return app;
    },
    get ada() {
      return ada;
    },

    /** Creates the agent `field-notes`. */
    async createAgent() {
      const body = { name: 'Field Notes', prompt: 'You help me' };
      await app.request('POST', '/api/agents', { as: ada, body });
    },

    /** Opens a session of an agent; the answer sends a message there and gives the finished task. */
    async openSession(agentId = 'field-notes') {
      const sessionId = await app.startSession(ada, agentId);
      return async (inputText: string) => {
        const body = { sessionId, agentId, inputText };
        const { task } = (await app.request('POST', '/api/runAgentTask', { as: ada, body })).body;
        expect(task.status).toBe('done');
        return task;
      };
    },

    /** Opens a session of a new agent: how to send a message there, by any process, and to wait for its answer. */
    async converse(model: string, { as = ada, by = app } = {}) {
      const { agent } = await app.call(as, 'POST', '/api/agents', { name: `Notes ${model}`, prompt: 'Help.', model });
      const path = `/api/sessions/${await app.startSession(as, agent.id)}/tasks`;
      const say = (inputText: string, headers: Record<string, string> = {}) =>
        by.request('POST', path, { as, headers, body: { agentId: agent.id, inputText } });
      const ended = () =>
        eventually(async () => {
          const { tasks } = tasksAnswer.parse((await app.request('GET', path, { as })).body);
          const task = tasks.at(-1);
          if (task === undefined || !['done', 'failed'].includes(task.status)) throw new Error('not yet');
          return task;
        });
      return { agent, path, say, ended };
    },

    /** What is known of Ada. */
    async facts(): Promise<{ text: string; about: string }[]> {
      return (await app.request('GET', '/api/facts', { as: ada })).body.facts;
    },
  };
}
