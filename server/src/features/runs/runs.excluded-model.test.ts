import { tasksAnswer } from '@atelier/contract/runs';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { type FakeOpenAI, startFakeOpenAI } from '../../testing/fake-openai.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';

let provider: FakeOpenAI;
let app: TestApp;
let ada: TestUser;
beforeAll(async () => {
  provider = await startFakeOpenAI();
  app = await testApp({ env: { OPENAI_BASE_URL: provider.url, MODEL_TIMEOUT_MS: '1000' } });
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
beforeEach(async () => {
  await app.reset();
  provider.reset();
  app.deps.models.exclude([]);
  ada = await app.signUp('Ada');
});

/** As when the operator takes it away. */
const takeAway = () => app.deps.models.exclude([{ provider: new URL(provider.url).host, model: 'gpt-4' }]);

async function converse() {
  const { agent } = await app.call(ada, 'POST', '/api/agents', { name: 'Notes', prompt: 'Help.', model: 'gpt-4' });
  const path = `/api/sessions/${await app.startSession(ada, agent.id)}/tasks`;
  const say = (inputText: string) => app.request('POST', path, { as: ada, body: { agentId: agent.id, inputText } });
  const ended = () =>
    eventually(async () => {
      const { tasks } = tasksAnswer.parse((await app.request('GET', path, { as: ada })).body);
      const task = tasks.at(-1);
      if (task === undefined || !['done', 'failed'].includes(task.status)) throw new Error('not yet');
      return task;
    });
  return { say, ended, path };
}

it('answers a second click on Retry and on another model as the first', async () => {
  provider.behave({ mode: 'error', status: 400 });
  const { say, ended, path } = await converse();
  await say('Hello');
  const first = await ended();
  provider.reset();
  const again = (what: string, body: object, headers = {}) =>
    app.request('POST', `${path}/${first.id}/${what}`, { as: ada, body, headers });
  const key = { 'idempotency-key': crypto.randomUUID() };
  const retried = await again('retry', {});
  await ended();
  const other = await again('regenerate', { model: 'gpt-4' }, key);
  await ended();
  takeAway();
  expect([retried.status, other.status]).toEqual([202, 202]);
  expect((await again('retry', {})).body.task.id).toBe(retried.body.task.id);
  expect((await again('regenerate', { model: 'gpt-4' }, key)).body.task.id).toBe(other.body.task.id);
  expect((await again('regenerate', { model: 'gpt-4' })).status).toBe(400);
});

it('still answers what was accepted before, and its title is the stand-in’s', async () => {
  const resolved = vi.spyOn(app.deps.models, 'title');
  const start = app.deps.models.accepted;
  // The moment between acceptance and the first question.
  const taken = vi.spyOn(app.deps.models, 'accepted').mockImplementation((id) => {
    takeAway();
    return start(id);
  });
  try {
    const { say, ended } = await converse();
    expect((await say('Hello')).status).toBe(202);
    expect(await ended()).toMatchObject({ status: 'done', model: 'gpt-4' });
    expect(provider.requests.find(({ body }) => body.stream === true)?.body.model).toBe('gpt-4');
    await eventually(() => expect(resolved.mock.lastCall?.[0].model).toBe('gpt-3.5-turbo'));
  } finally {
    taken.mockRestore();
    resolved.mockRestore();
  }
});
