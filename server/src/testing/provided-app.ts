import type { Fact } from '@atelier/contract/facts';
import { tasksAnswer } from '@atelier/contract/runs';
import { beforeEach, expect } from 'vitest';
import { eventually } from './eventually.ts';
import { type FakeBehaviour, startFakeOpenAI } from './fake-openai.ts';
import { emptyApp, type TestUser } from './harness.ts';
import { closing } from './lifetimes.ts';

/** An app with a model provider that the test controls. Before each test it is empty but for Ada, who has Pro. */
export async function providedApp(env: Record<string, string> = {}, behaviour: Partial<FakeBehaviour> = {}) {
  const provider = await closing(startFakeOpenAI(behaviour));
  const own = { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-test-0123456789' };
  const app = await emptyApp({ env: { ...own, ...env } });
  const my = { provider, app } as { provider: typeof provider; app: typeof app; ada: TestUser };
  beforeEach(async () => {
    provider.reset();
    my.ada = await app.signUpPro('Ada');
  });
  const post = (path: string, body: object) => app.call(my.ada, 'POST', path, body);
  return Object.assign(my, {
    /** Creates the agent `field-notes`. */
    createAgent: () => post('/api/agents', { name: 'Field Notes', prompt: 'You help me' }),

    /** Opens a session of an agent; the answer sends a message there and gives the finished task. */
    async openSession(agentId = 'field-notes') {
      const sessionId = await app.startSession(my.ada, agentId);
      return async (inputText: string) => {
        const { task } = await post('/api/runAgentTask', { sessionId, agentId, inputText });
        expect(task.status).toBe('done');
        return task;
      };
    },

    /** Opens a session of a new agent: how to send a message there, by any process, and to wait for its answer. */
    async converse(model: string, { as = my.ada, by = app } = {}) {
      const { agent } = await app.call(as, 'POST', '/api/agents', {
        name: `Notes ${model}`,
        prompt: 'Help.',
        model,
      });
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
    facts: async (): Promise<Fact[]> => (await app.call(my.ada, 'GET', '/api/facts')).facts,
  });
}
