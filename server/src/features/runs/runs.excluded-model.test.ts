import { beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { providedApp } from '../../testing/provided-app.ts';

const talk = await providedApp({ MODEL_TIMEOUT_MS: '1000' });
beforeEach(() => talk.app.deps.models.exclude([]));

/** As when the operator takes it away. */
const takeAway = () => talk.app.deps.models.exclude([{ provider: new URL(talk.provider.url).host, model: 'gpt-4' }]);

it('answers a second click on Retry and on another model as the first', async () => {
  const { app, provider, ada } = talk;
  provider.behave({ mode: 'error', status: 400 });
  const { say, ended, path } = await talk.converse('gpt-4');
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
  const { app, provider } = talk;
  const resolved = vi.spyOn(app.deps.models, 'title');
  const start = app.deps.models.accepted;
  // The moment between acceptance and the first question.
  const acceptance = vi.spyOn(app.deps.models, 'accepted').mockImplementation((id) => {
    takeAway();
    return start(id);
  });
  try {
    const { say, ended } = await talk.converse('gpt-4');
    expect((await say('Hello')).status).toBe(202);
    expect(await ended()).toMatchObject({ status: 'done', model: 'gpt-4' });
    expect(provider.requests.find(({ isAnswer }) => isAnswer)?.body.model).toBe('gpt-4');
    await eventually(() => expect(resolved.mock.lastCall?.[0].model).toBe('gpt-3.5-turbo'));
  } finally {
    acceptance.mockRestore();
    resolved.mockRestore();
  }
});
