import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type TestApp, type TestUser, testApp } from './harness.ts';

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
export function managedMemories() {
  let app: TestApp;
  let ada: TestUser;
  let bob: TestUser;
  let sessionId: string;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.reset();
    [ada, bob] = [await app.signUpPro('Ada'), await app.signUpPro('Bob')];
    const body = { name: 'Field Notes', prompt: 'You help me plan trips' };
    await app.request('POST', '/api/agents', { as: ada, body });
    sessionId = await startSession();
  });

  /** Bears a name of its own: without one, a job names it after the first exchange, at any moment of a test. */
  async function startSession(): Promise<string> {
    const body = { agentId: 'field-notes', name: 'Plans' };
    return (await app.request('POST', '/api/sessions', { as: ada, body })).body.session.id;
  }
  const list = async (query = '', as = ada): Promise<ListedMemory[]> =>
    (await app.request('GET', `/api/memories${query}`, { as })).body.memories;

  return {
    get app() {
      return app;
    },
    get ada() {
      return ada;
    },
    get bob() {
      return bob;
    },
    get sessionId() {
      return sessionId;
    },
    startSession,
    list,
    async ask(inputText: string, at = sessionId) {
      const body = { sessionId: at, agentId: 'field-notes', inputText };
      return (await app.request('POST', '/api/runAgentTask', { as: ada, body })).body.task;
    },
    /** The latest memory of what Ada said. */
    said: async () => (await list('?kind=person')).at(-1) ?? expect.fail('nothing is remembered'),
    patch: (id: string, body: unknown, as: TestUser | undefined = ada) =>
      app.request('PATCH', `/api/memories/${id}`, { as, body }),
    forget: (id: string, as: TestUser | undefined = ada) => app.request('DELETE', `/api/memories/${id}`, { as }),
  };
}
