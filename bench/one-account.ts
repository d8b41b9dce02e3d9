import { randomUUID } from 'node:crypto';
import type { Server } from '../e2e/server.ts';

/** A signed-in Pro account that talks with one agent over HTTP. */
export interface Caller {
  /** Returns the new session's id. */
  startSession(): Promise<string>;
  /** Sends a message and returns the event stream of its answer. */
  exchange(sessionId: string, inputText: string): Promise<Response>;
}

/** Signs up, grants Pro, and creates an agent without memory, so that only the exchange is measured. */
export async function signIn(server: Pick<Server, 'url' | 'admin'>): Promise<Caller> {
  const email = `bench-${randomUUID()}@example.com`;
  let cookie = '';
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${server.url}/api${path}`, {
      method,
      headers: { origin: server.url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
  const post = async (path: string, body: unknown) => {
    const answer = await call('POST', path, body);
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };

  const signedUp = await post('/auth/sign-up/email', { name: 'Bench', email, password: 'a long password' });
  cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  await server.admin('grant-pro', email, '--reason', 'bench');
  await post('/agents', { name: 'Bench', prompt: 'You answer.', memoryEnabled: false });

  return {
    startSession: async () => {
      const answer = await post('/sessions', { agentId: 'bench', name: 'Bench' });
      return ((await answer.json()) as { session: { id: string } }).session.id;
    },
    exchange: async (sessionId, inputText) => {
      const answer = await post(`/sessions/${sessionId}/tasks`, { agentId: 'bench', inputText });
      const { task } = (await answer.json()) as { task: { id: string } };
      return call('GET', `/sessions/${sessionId}/tasks/${task.id}/events`);
    },
  };
}
