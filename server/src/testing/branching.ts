import { type Task, tasksAnswer } from '@atelier/contract/runs';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { Answer, TestApp, TestUser } from './harness.ts';
import type { scriptedModels } from './scripted-models.ts';

type Script = ReturnType<typeof scriptedModels>;

export interface BranchingOptions {
  app: TestApp;
  person: TestUser;
  sessionId: string;
  agentId: string;
}

/** What one person does in a session, such as all that changes its tree; `now` says which session that is when something is done. */
export function branching(now: () => BranchingOptions) {
  const tasks = () => `/api/sessions/${now().sessionId}/tasks`;
  const at = (id: string, more = '') => `${tasks()}/${id}${more}`;
  const request = (method: string, path: string, body?: unknown): Promise<Answer> =>
    now().app.request(method, path, { as: now().person, ...(body === undefined ? {} : { body }) });
  const read = async (id: string): Promise<Task> => (await request('GET', at(id))).body.task;
  const path = async (): Promise<Task[]> =>
    tasksAnswer.parse((await request('GET', `${tasks()}?limit=200`)).body).tasks;
  /** Waits until an accepted message has its answer. */
  async function answered(answer: Answer): Promise<Task> {
    expect(answer.status).toBe(202);
    const { id } = answer.body.task;
    await eventually(async () => expect((await read(id)).status).not.toBe('running'));
    return read(id);
  }
  return {
    at,
    send: (inputText: string) => request('POST', tasks(), { agentId: now().agentId, inputText }),
    edit: (id: string, inputText: string) => request('POST', at(id, '/edit'), { inputText }),
    regenerate: (id: string, model?: string) =>
      request('POST', at(id, '/regenerate'), model === undefined ? {} : { model }),
    choose: (id: string) => request('PUT', at(id, '/choose')),
    remove: (id: string) => request('DELETE', at(id)),
    restore: (id: string) => request('POST', at(id, '/restore')),
    stop: (id: string) => request('POST', at(id, '/cancel')),
    continueFrom: (id: string) => request('POST', at(id, '/continue')),
    read,
    /** The chosen path, oldest first. */
    path,
    /** What was asked on it. */
    asked: async () => (await path()).map(({ inputText }) => inputText),
    usage: async () => (await request('GET', '/api/me')).body.usage,
    /** Waits until an exchange is in this state. */
    ended: (id: string, status = 'done') => eventually(async () => expect((await read(id)).status).toBe(status)),
    /** Waits until its answer is these words. */
    says: (id: string, words: string) => eventually(async () => expect((await read(id)).message).toBe(words)),
    answered,
    /** Has the model answer a message; returns the task, and what the model was given. */
    async answeredBy(script: Script, accepted: Promise<Answer>, words: string) {
      const sent = await accepted;
      const call = await script.next();
      call.say(words).end();
      return { ...(await answered(sent)), input: call.input };
    },
  };
}

/** A session of an agent called Notes that the person has for it, with all that changes its tree. */
export async function newTalk(app: TestApp, person: TestUser) {
  await app.request('POST', '/api/agents', { as: person, body: { name: 'Notes', prompt: 'You keep notes.' } });
  const sessionId = await app.startSession(person, 'notes');
  return branching(() => ({ app, person, sessionId, agentId: 'notes' }));
}

interface TalkOptions extends Omit<BranchingOptions, 'sessionId'> {
  script: Script;
}

/** Opens a session; `exchange` sends a message there, has the model answer it, and returns its address, what the model was asked, and the receipt. */
export async function openTalk({ app, person, agentId, script }: TalkOptions) {
  const sessionId = await app.startSession(person, agentId);
  const talk = branching(() => ({ app, person, sessionId, agentId }));
  const exchange = async (inputText: string, words = 'All right.') => {
    const { id, status, input, memoryUsed } = await talk.answeredBy(script, talk.send(inputText), words);
    expect(status).toBe('done');
    return { path: `/api/sessions/${sessionId}/tasks/${id}`, input, receipt: memoryUsed };
  };
  return { sessionId, exchange };
}
export type Talk = Awaited<ReturnType<typeof openTalk>>;
