import { type Task, task as taskSchema } from '@atelier/contract/runs';
import { expect } from 'vitest';
import type { GenerateInput } from '../platform/models/models.ts';
import { eventually } from './eventually.ts';
import type { TestApp, TestUser } from './harness.ts';
import type { scriptedModels } from './scripted-models.ts';

export interface TalkOptions {
  app: TestApp;
  person: TestUser;
  agentId: string;
  script: ReturnType<typeof scriptedModels>;
}

/** What came of an exchange: its address, what the model was asked, and the receipt. */
export interface Exchanged {
  path: string;
  input: GenerateInput;
  receipt: Task['memoryUsed'];
}

/** Opens a session; the answer sends a message there, has the model answer it, and waits for its end. */
export async function openTalk({ app, person, agentId, script }: TalkOptions) {
  const opened = await app.request('POST', '/api/sessions', { as: person, body: { agentId } });
  const sessionId: string = opened.body.session.id;
  const exchange = async (inputText: string, answer = 'All right.'): Promise<Exchanged> => {
    const tasks = `/api/sessions/${sessionId}/tasks`;
    const sent = await app.request('POST', tasks, { as: person, body: { agentId, inputText } });
    const call = await script.next();
    call.say(answer).end();
    const path = `${tasks}/${sent.body.task.id}`;
    const read = async () => taskSchema.parse((await app.request('GET', path, { as: person })).body.task);
    await eventually(async () => expect((await read()).status).toBe('done'));
    return { path, input: call.input, receipt: (await read()).memoryUsed };
  };
  return { sessionId, exchange };
}
export type Talk = Awaited<ReturnType<typeof openTalk>>;
