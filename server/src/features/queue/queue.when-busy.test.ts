import { queuedAnswer, startAnswer, taskAnswer } from '@atelier/contract/runs';
import { QUEUE_MAX, QUEUE_SENTENCES, queueAnswer } from '@atelier/contract/runs/queue';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { attachmentsOf } from '../../testing/files.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';

const script = scriptedModels();
let ada: TestUser;
let sessionId: string;
const { add } = attachmentsOf(
  () => app,
  () => ada,
  () => sessionId,
);
const app = await emptyApp({ models: script.models });
beforeEach(async () => {
  ada = await app.signUp('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
  sessionId = await openSession();
});

async function openSession(agentId = 'field-notes'): Promise<string> {
  return (await app.request('POST', '/api/sessions', { as: ada, body: { agentId } })).body.session.id;
}

interface More {
  key?: string;
  as?: TestUser | undefined;
  body?: object;
}

const path = (end = 'tasks') => `/api/sessions/${sessionId}/${end}`;
const post = (inputText: string, { key, body, ...more }: More) =>
  app.request('POST', path(), {
    as: ada,
    ...more,
    body: { agentId: 'field-notes', inputText, ...body },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const send = (inputText: string, more: More = {}) =>
  post(inputText, { ...more, body: { whenBusy: 'queue', ...more.body } });
const waiting = async () =>
  queueAnswer.parse((await app.request('GET', path('queue'), { as: ada })).body).queue.map((one) => one.inputText);
const tasks = async () => (await app.request('GET', path(), { as: ada })).body.tasks;
const asked = async () => (await tasks()).map((task: { inputText: string }) => task.inputText);
const done = () => eventually(async () => expect((await tasks()).at(-1)).toMatchObject({ status: 'done' }));
const emptied = () => eventually(async () => expect(await waiting()).toEqual([]));
/** Stops the running answer. */
const stop = async () => app.request('POST', path(`tasks/${(await tasks()).at(-1).id}/cancel`), { as: ada });

describe('a message that may wait', () => {
  it('is put behind a running answer that began to wait for its start before the latest ended', async () => {
    await post('one', {});
    (await script.next()).say('1').end();
    await done();
    await post('two', {});
    const running = await script.next();
    const earlier = `update tasks set created_at = created_at - interval '1 hour' where input_text = 'two'`;
    await app.deps.database.executeSql(earlier, []);
    expect(queuedAnswer.parse((await send('three')).body).queued).toMatchObject({ state: 'waiting' });
    running.say('2').end();
    (await script.next()).say('3').end();
    await emptied();
  });

  it('is put behind a running answer and sent when that has ended; without the word for it, 409', async () => {
    await post('one', {});
    const first = await script.next();
    expect((await post('two', {})).status).toBe(409);
    const answer = await send('two');
    expect(answer.status).toBe(202);
    expect(queuedAnswer.parse(answer.body).queued).toMatchObject({ inputText: 'two', state: 'waiting', sessionId });
    // One that streams answers has nothing to stream yet.
    const headers = { accept: 'text/event-stream' };
    const third = await app.request('POST', path(), {
      as: ada,
      body: { agentId: 'field-notes', inputText: 'three', whenBusy: 'queue' },
      headers,
    });
    expect(queuedAnswer.parse(third.body).queued.inputText).toBe('three');
    expect(await waiting()).toEqual(['two', 'three']);
    first.say('1').end();
    (await script.next()).say('2').end();
    (await script.next()).say('3').end();
    await emptied();
    await done();
    expect(await asked()).toEqual(['one', 'two', 'three']);
  });

  it('is answered like any other when nothing is running, also behind messages that wait for the person', async () => {
    const answer = await send('one');
    expect([answer.status, taskAnswer.parse(answer.body).task.inputText]).toEqual([202, 'one']);
    await script.next();
    await send('two');
    await stop();
    await eventually(async () => expect((await tasks()).at(-1)).toMatchObject({ status: 'cancelled' }));
    await eventually(async () => {
      const { body } = await app.request('GET', path('queue'), { as: ada });
      expect(body.queue).toMatchObject([{ state: 'paused', reason: QUEUE_SENTENCES.stopped }]);
    });
    expect((await send('in between')).body.task.inputText).toBe('in between');
    (await script.next()).say('yes').end();
    await done();
    expect(await waiting()).toEqual(['two']);
  });

  it('keeps to the limits of every message when nothing is running', async () => {
    for (let i = 0; i < 10; i += 1) {
      await send(`m${i}`);
      (await script.next()).say('ok').end();
      await done();
    }
    const refused = await send('the eleventh');
    expect([refused.status, refused.body.error.code]).toEqual([402, 'limit_reached']);
    expect(await waiting()).toEqual([]);
  });

  it('is refused to others, for another agent, and when it is malformed', async () => {
    await post('one', {});
    await script.next();
    expect((await send('two', { as: await app.signUp('Eve') })).status).toBe(404);
    for (const body of [{ whenBusy: 'wait' }, { whenBusy: null }, { agentId: 'another' }, { inputText: ' ' }]) {
      expect([body, (await send('two', { body })).status]).toEqual([body, 400]);
    }
    expect((await send('two', { key: '' })).status).toBe(400);
    expect((await send('two', { body: { attachmentIds: [crypto.randomUUID()] } })).status).toBe(403);
    await app.grantPro(ada.uid);
    expect((await send('two', { body: { attachmentIds: [crypto.randomUUID()] } })).status).toBe(400);
    expect(await waiting()).toEqual([]);
    for (let i = 0; i < QUEUE_MAX; i += 1) await send(`${i}`);
    const full = await send('two');
    expect([full.status, full.body.error.message]).toEqual([409, QUEUE_SENTENCES.full]);
  });

  it('waits with its attachments', async () => {
    await app.grantPro(ada.uid);
    await post('one', {});
    const first = await script.next();
    const { id } = await add('notes.txt', 'Cone 6.');
    const { body } = await send('What is this?', { body: { attachmentIds: [id] }, key: 'k' });
    expect(body.queued.attachments).toMatchObject([{ id }]);
    expect((await send('What is this?', { key: 'k' })).status).toBe(409);
    first.say('1').end();
    (await script.next()).say('A cone.').end();
    await emptied();
    await done();
    const again = await send('What is this?', { body: { attachmentIds: [id] }, key: 'k' });
    expect(again.body.task).toMatchObject({ inputText: 'What is this?', attachments: [{ id }] });
  });
});

describe('the same key', () => {
  it('twice at once is one message, whether it waits or not', async () => {
    const begun = await Promise.all([send('one', { key: 'k1' }), send('one', { key: 'k1' })]);
    expect(begun.map(({ status }) => status)).toEqual([202, 202]);
    expect(new Set(begun.map(({ body }) => taskAnswer.parse(body).task.id)).size).toBe(1);
    const first = await script.next();
    const both = await Promise.all([send('two', { key: 'k2' }), send('two', { key: 'k2' })]);
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(new Set(both.map(({ body }) => queuedAnswer.parse(body).queued.id)).size).toBe(1);
    first.say('1').end();
    (await script.next()).say('2').end();
    await emptied();
    await done();
    expect(await asked()).toEqual(['one', 'two']);
  });

  it('gives the same message when its answer has begun or ended meanwhile; with other words 409', async () => {
    await post('one', {});
    const first = await script.next();
    expect((await send('two', { key: 'k' })).body.queued.state).toBe('waiting');
    expect((await send('other', { key: 'k' })).status).toBe(409);
    first.say('1').end();
    const second = await script.next();
    await emptied();
    const running = await send('two', { key: 'k' });
    expect(running.body.task).toMatchObject({ inputText: 'two', status: 'running' });
    second.say('2').end();
    await done();
    const ended = await send('two', { key: 'k' });
    expect(ended.body.task).toMatchObject({ id: running.body.task.id, message: '2', status: 'done' });
    expect((await send('other', { key: 'k' })).status).toBe(409);
    expect(await asked()).toEqual(['one', 'two']);
  });

  it('gives the message of an attempt that did not say that it may wait', async () => {
    const { body } = await post('one', { key: 'k' });
    expect((await send('one', { key: 'k' })).body.task.id).toBe(body.task.id);
    (await script.next()).say('1').end();
    await done();
    expect((await send('one', { key: 'k' })).body.task.id).toBe(body.task.id);
    expect(await asked()).toEqual(['one']);
  });

  it('gives the message that the page of before put into the queue, and the other way round', async () => {
    await post('one', {});
    const first = await script.next();
    const add = (inputText: string, key: string) =>
      app.request('POST', path('queue'), { as: ada, body: { inputText }, headers: { 'idempotency-key': key } });
    const before = (await add('two', 'k2')).body.queued.id;
    expect((await send('two', { key: 'k2' })).body.queued.id).toBe(before);
    const now = (await send('three', { key: 'k3' })).body.queued.id;
    expect((await add('three', 'k3')).body.queued.id).toBe(now);
    expect(await waiting()).toEqual(['two', 'three']);
    first.say('1').end();
    (await script.next()).say('2').end();
    (await script.next()).say('3').end();
    await emptied();
    await done();
    expect((await add('three', 'k3')).body.queued.state).toBe('sent');
    expect(await asked()).toEqual(['one', 'two', 'three']);
  });

  it('sends nothing again that was removed from the queue', async () => {
    await post('one', {});
    const first = await script.next();
    const { id } = (await send('two', { key: 'k' })).body.queued;
    await app.request('DELETE', path(`queue/${id}`), { as: ada });
    expect((await send('two', { key: 'k' })).body.queued.state).toBe('removed');
    first.say('1').end();
    await done();
    expect((await send('two', { key: 'k' })).body.queued.state).toBe('removed');
    expect(await asked()).toEqual(['one']);
  });
});

it('an answer that ends while messages arrive loses none, doubles none, and keeps their order', async () => {
  await app.grantPro(ada.uid);
  await post('0', {});
  const texts = Array.from({ length: 6 }, (_, i) => `${i + 1}`);
  const answering = (async () => {
    for (let i = 0; i <= texts.length; i += 1) (await script.next()).say('ok').end();
  })();
  for (const text of texts) {
    // Each of them meets an answer at another moment of its end.
    const all = await Promise.all([send(text, { key: text }), send(text, { key: text })]);
    for (const { status, body } of all) expect([status, startAnswer.safeParse(body).success]).toEqual([202, true]);
  }
  await answering;
  await emptied();
  await done();
  expect(await asked()).toEqual(['0', ...texts]);
});
