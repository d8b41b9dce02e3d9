import { beforeEach, expect } from 'vitest';
import { emptyApp, type TestUser } from './harness.ts';

interface ListedMemory {
  id: string;
  text: string;
  kind: string;
  pinned: boolean;
  edited: boolean;
  why?: { by: string };
}

export const PEANUTS = 'My sister is allergic to peanuts';
export const QUESTION = 'What is my sister allergic to?';

/** What people do with the memories of an agent. Before each test there are Ada and Bob, who have Pro, and a session of Ada's with `field-notes`. */
export async function managedMemories() {
  const app = await emptyApp();
  const my = { app } as { app: typeof app; ada: TestUser; bob: TestUser; sessionId: string };
  beforeEach(async () => {
    Object.assign(my, { ada: await app.signUpPro('Ada'), bob: await app.signUpPro('Bob') });
    await app.call(my.ada, 'POST', '/api/agents', { name: 'Field Notes', prompt: 'You help me plan trips' });
    my.sessionId = await startSession();
  });

  /** Bears a name of its own: without one, a job names it after the first exchange, at any moment of a test. */
  const startSession = async (): Promise<string> =>
    (await app.call(my.ada, 'POST', '/api/sessions', { agentId: 'field-notes', name: 'Plans' })).session.id;
  const list = async (query = '', as = my.ada): Promise<ListedMemory[]> =>
    (await app.request('GET', `/api/memories${query}`, { as })).body.memories;

  return Object.assign(my, {
    startSession,
    list,
    async ask(inputText: string, at = my.sessionId) {
      const asked = { sessionId: at, agentId: 'field-notes', inputText };
      return (await app.call(my.ada, 'POST', '/api/runAgentTask', asked)).task;
    },
    /** The latest memory of what Ada said. */
    said: async () => (await list('?kind=person')).at(-1) ?? expect.fail('nothing is remembered'),
    patch: (id: string, body: unknown, as: TestUser | undefined = my.ada) =>
      app.request('PATCH', `/api/memories/${id}`, { as, body }),
    forget: (id: string, as: TestUser | undefined = my.ada) => app.request('DELETE', `/api/memories/${id}`, { as }),
  });
}
