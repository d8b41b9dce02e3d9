import type { Tool } from '@atelier/contract/tools';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import type { TestApp, TestUser } from '../harness.ts';

/** What tests of tools do with an agent named Worker, as one person. */
export function workerOf(app: () => TestApp, person: () => TestUser) {
  const as = () => ({ as: person() });

  const catalogue = async (who = person()): Promise<Tool[]> =>
    (await app().request('GET', '/api/tools', { as: who })).body.tools;

  /** A session with an agent that has these tools. */
  async function open(tools: string[]): Promise<string> {
    const body = { name: 'Worker', prompt: 'You work.', tools };
    const made = await app().request('POST', '/api/agents', { ...as(), body });
    expect(made.body.error).toBeUndefined();
    return app().startSession(person(), 'worker');
  }

  async function start(sessionId: string, inputText: string) {
    const body = { agentId: 'worker', inputText };
    return (await app().request('POST', `/api/sessions/${sessionId}/tasks`, { ...as(), body })).body.task;
  }

  const read = async (task: { id: string; sessionId: string }) =>
    (await app().request('GET', `/api/sessions/${task.sessionId}/tasks/${task.id}`, as())).body.task;

  async function until(task: { id: string; sessionId: string }, status: string) {
    await eventually(async () => expect((await read(task)).status).toBe(status));
    return read(task);
  }

  const ask = async (sessionId: string, text: string) => until(await start(sessionId, text), 'done');

  const approve = (task: { id: string; sessionId: string }, body: object, who: TestUser | undefined = person()) =>
    app().request('POST', `/api/sessions/${task.sessionId}/tasks/${task.id}/approve`, { as: who, body });

  /** Asks for something that asks back, and allows it once. */
  async function askAndAllow(sessionId: string, text: string) {
    const task = await start(sessionId, text);
    await until(task, 'waiting');
    await approve(task, { callId: 'call-1', decision: 'once' });
    return until(task, 'done');
  }

  return { catalogue, open, start, read, until, ask, approve, askAndAllow };
}
