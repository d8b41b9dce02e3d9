import { type QueuedMessage, queuedAnswer } from '@atelier/contract/runs';
import { QUEUE_MAX, QUEUE_SENTENCES, queueAnswer } from '@atelier/contract/runs/queue';
import { beforeEach, describe, expect, it } from 'vitest';
import { branching } from '../../testing/branching.ts';
import { eventually } from '../../testing/eventually.ts';
import { cookieOf, emptyApp, type TestUser } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { issueToken } from '../accounts/accounts.tokens.service.ts';

const script = scriptedModels();
let ada: TestUser;
let sessionId: string;
const app = await emptyApp({ models: script.models });
beforeEach(async () => {
  ada = await app.signUp('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
  sessionId = await openSession();
});

async function openSession(as = ada): Promise<string> {
  const { body } = await app.request('POST', '/api/sessions', { as, body: { agentId: 'field-notes' } });
  return body.session.id;
}

const path = (more = '', session = sessionId) => `/api/sessions/${session}/queue${more}`;
const queue = (inputText: string, key?: string) =>
  app.request('POST', path(), {
    as: ada,
    body: { inputText },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const change = (method: string, more: string, body?: object) => app.request(method, path(more), { as: ada, body });
const listed = async (): Promise<QueuedMessage[]> =>
  queueAnswer.parse((await app.request('GET', path(), { as: ada })).body).queue;
const waiting = async () => (await listed()).map(({ inputText }) => inputText);
const { send, path: tasks, asked } = branching(() => ({ app, person: ada, sessionId, agentId: 'field-notes' }));
const emptied = () => eventually(async () => expect(await waiting()).toEqual([]));
const paused = (reason: string) =>
  eventually(async () => expect((await listed()).map((one) => one.reason)).toEqual((await listed()).map(() => reason)));

describe('a queue', () => {
  it('is sent in order, one message after each answer, and is then empty', async () => {
    await send('one');
    const first = await script.next();
    for (const text of ['two', 'three', 'four']) {
      const answer = await queue(text);
      expect(answer.status).toBe(201);
      expect(queuedAnswer.parse(answer.body).queued).toMatchObject({ inputText: text, state: 'waiting', sessionId });
    }
    expect(await waiting()).toEqual(['two', 'three', 'four']);
    expect(await asked()).toEqual(['one']);
    first.say('1').end();
    (await script.next()).say('2').end();
    const third = await script.next();
    await eventually(async () => expect(await waiting()).toEqual(['four']));
    expect(await asked()).toEqual(['one', 'two', 'three']);
    third.say('3').end();
    (await script.next()).say('4').end();
    await emptied();
    await eventually(async () => expect((await tasks()).at(-1)).toMatchObject({ message: '4', status: 'done' }));
    expect(await asked()).toEqual(['one', 'two', 'three', 'four']);
  });

  it('is sent at once when no answer is running', async () => {
    await queue('now');
    (await script.next()).say('yes').end();
    await emptied();
    expect(await asked()).toEqual(['now']);
  });

  it('waits for the person after Stop and after a failure, and goes on when asked', async () => {
    const { body } = await send('one');
    await script.next();
    await queue('two');
    await queue('three');
    await app.request('POST', `/api/sessions/${sessionId}/tasks/${body.task.id}/cancel`, { as: ada });
    await paused(QUEUE_SENTENCES.stopped);
    // What comes later waits behind the others.
    expect((await queue('four')).body.queued).toMatchObject({ state: 'paused', reason: QUEUE_SENTENCES.stopped });
    expect(await asked()).toEqual(['one']);
    const released = await change('POST', '/send');
    expect(released.status).toBe(202);
    expect(queueAnswer.parse(released.body).queue.map((one) => one.state)).toEqual(['waiting', 'waiting']);
    (await script.next()).fail('The provider broke.');
    await paused(QUEUE_SENTENCES.failed);
    expect(await waiting()).toEqual(['three', 'four']);
    await change('POST', '/send');
    (await script.next()).say('3').end();
    (await script.next()).say('4').end();
    await emptied();
    expect(await asked()).toEqual(['one', 'two', 'three', 'four']);
  });

  it('stays with the sentence when a limit refuses, and never overspends', async () => {
    for (let i = 0; i < 9; i += 1) {
      await send(`m${i}`);
      (await script.next()).say('ok').end();
      await eventually(async () => expect((await tasks()).at(-1)?.status).toBe('done'));
    }
    await send('the tenth');
    const last = await script.next();
    await queue('the eleventh');
    last.say('ok').end();
    await paused('Free tier users are limited to 10 messages. Upgrade to Pro to send more.');
    expect(await waiting()).toEqual(['the eleventh']);
    await app.grantPro(ada.uid);
    await change('POST', '/send');
    (await script.next()).say('ok').end();
    await emptied();
  });

  it('waits for its owner after a reset, which also stops the answer', async () => {
    await send('one');
    await script.next();
    await queue('two');
    const token = await issueToken(app.deps.db, { userId: ada.uid, purpose: 'operator_reset', email: ada.email });
    await app.request('POST', '/api/auth/reset-password', { body: { token, newPassword: 'a better password' } });
    const again = { email: ada.email, password: 'a better password' };
    ada = { ...ada, cookie: cookieOf((await app.request('POST', '/api/auth/sign-in/email', { body: again })).headers) };
    await eventually(async () => expect((await tasks())[0]).toMatchObject({ status: 'cancelled' }));
    await paused(QUEUE_SENTENCES.reset);
    expect(await asked()).toEqual(['one']);
  });

  it('shows as paused when the agent was deleted, takes nothing more, and can be emptied', async () => {
    await send('one');
    await script.next();
    const { body } = await queue('two');
    await app.request('DELETE', '/api/agents/field-notes', { as: ada });
    await eventually(async () => expect((await listed())[0]?.state).toBe('paused'));
    expect((await change('POST', '/send')).body.queue[0].reason).toContain('was deleted');
    expect((await queue('three')).status).toBe(409);
    expect((await change('DELETE', `/${body.queued.id}`)).status).toBe(204);
    expect(await waiting()).toEqual([]);
  });

  it('goes with its session', async () => {
    await send('one');
    await script.next();
    await queue('two');
    await app.request('DELETE', `/api/sessions/${sessionId}`, { as: ada });
    expect((await app.request('GET', path(), { as: ada })).status).toBe(404);
    await app.deps.database.executeSql('delete from chat_sessions', []);
    expect((await app.deps.database.executeSql('select id from queued_messages', [])).rows).toEqual([]);
  });
});

describe('a queued message', () => {
  it('can be edited, removed and restored in its place until it is sent; then 409', async () => {
    await send('one');
    const first = await script.next();
    const two = (await queue('two')).body.queued.id;
    const three = (await queue('three')).body.queued.id;
    expect((await change('PATCH', `/${two}`, { inputText: 'two, better' })).body.queued.inputText).toBe('two, better');
    expect((await change('DELETE', `/${two}`)).status).toBe(204);
    expect((await change('DELETE', `/${two}`)).status).toBe(204);
    expect(await waiting()).toEqual(['three']);
    expect((await change('POST', `/${two}/restore`)).body.queued).toMatchObject({ state: 'waiting' });
    expect(await waiting()).toEqual(['two, better', 'three']);
    first.say('1').end();
    const second = await script.next();
    await eventually(async () => expect(await waiting()).toEqual(['three']));
    const late = await change('PATCH', `/${two}`, { inputText: 'too late' });
    expect([late.status, late.body.error.message]).toEqual([409, QUEUE_SENTENCES.sent]);
    expect((await change('DELETE', `/${two}`)).status).toBe(409);
    await change('DELETE', `/${three}`);
    second.say('2').end();
    await eventually(async () => expect((await tasks()).at(-1)?.status).toBe('done'));
    expect(await asked()).toEqual(['one', 'two, better']);
  });

  it('removed before Stop, it is restored as paused', async () => {
    const { body } = await send('one');
    await script.next();
    const { id } = (await queue('two')).body.queued;
    await change('DELETE', `/${id}`);
    await app.request('POST', `/api/sessions/${sessionId}/tasks/${body.task.id}/cancel`, { as: ada });
    await eventually(async () => expect((await tasks()).at(-1)?.status).toBe('cancelled'));
    await change('POST', `/${id}/restore`);
    await paused(QUEUE_SENTENCES.stopped);
    expect(await asked()).toEqual(['one']);
  });

  it('with the same key exists once, also after it was sent; with other words 409', async () => {
    await send('one');
    const first = await script.next();
    const both = await Promise.all([queue('two', 'k'), queue('two', 'k')]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(both.map(({ body }) => body.queued.id)).size).toBe(1);
    expect((await queue('other', 'k')).status).toBe(409);
    first.say('1').end();
    (await script.next()).say('2').end();
    await emptied();
    expect((await queue('two', 'k')).body.queued).toMatchObject({ state: 'sent', inputText: 'two' });
    expect(await asked()).toEqual(['one', 'two']);
  });

  it('is refused when it is empty, too long or the eleventh, and for anybody else', async () => {
    await send('one');
    const first = await script.next();
    expect((await queue('  ')).status).toBe(400);
    expect((await queue('x'.repeat(32_001))).status).toBe(400);
    expect((await queue('two', '')).status).toBe(400);
    const all = await Promise.all(Array.from({ length: 14 }, (_, i) => queue(`${i}`)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(QUEUE_MAX);
    const refused = all.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.error.message)).toEqual(refused.map(() => QUEUE_SENTENCES.full));
    const [one] = await listed();
    await change('DELETE', `/${one?.id}`);
    await queue('the tenth again');
    expect((await change('POST', `/${one?.id}/restore`)).status).toBe(409);

    const eve = await app.signUp('Eve');
    const body = { inputText: 'mine' };
    const id = (await listed())[0]?.id;
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['POST', '', body],
      ['POST', '/send'],
      ['PATCH', `/${id}`, body],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/restore`],
    ];
    for (const [method, more, sent] of calls) {
      expect([method, (await app.request(method, path(more), { as: eve, body: sent })).status]).toEqual([method, 404]);
    }
    const other = await openSession();
    const [here] = await listed();
    const elsewhere = await app.request('DELETE', path(`/${here?.id}`, other), { as: ada });
    expect(elsewhere.status).toBe(404);
    expect((await change('PATCH', '/nothing', body)).status).toBe(404);
    expect((await change('PATCH', `/${here?.id}`, { inputText: '' })).status).toBe(400);
    await app.deps.database.executeSql('delete from queued_messages', []);
    first.say('1').end();
  });

  it('is told to every page of the person', async () => {
    const heard: unknown[] = [];
    const leave = app.deps.live.subscribe(ada.uid, ({ event, data }) => event === 'changed' && heard.push(data));
    await queue('now');
    await eventually(() => expect(heard).toContainEqual({ topic: 'queue', id: sessionId }));
    (await script.next()).say('yes').end();
    await emptied();
    leave();
  });
});
