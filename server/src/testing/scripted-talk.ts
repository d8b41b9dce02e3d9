import type { Task } from '@atelier/contract/runs';
import { expect } from 'vitest';
import type { GenerateInput } from '../platform/models/models.ts';
import { branching } from './branching.ts';
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
  const sessionId = await app.startSession(person, agentId);
  const talk = branching({ app, person, sessionId, agentId });
  const exchange = async (inputText: string, answer = 'All right.'): Promise<Exchanged> => {
    const sent = await talk.send(inputText);
    const call = await script.next();
    call.say(answer).end();
    const { id, status, memoryUsed } = await talk.answered(sent);
    expect(status).toBe('done');
    return { path: `/api/sessions/${sessionId}/tasks/${id}`, input: call.input, receipt: memoryUsed };
  };
  return { sessionId, exchange };
}
export type Talk = Awaited<ReturnType<typeof openTalk>>;
