import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, ORIGIN, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { disableAccount } from '../accounts/accounts.closing.service.ts';

const script = scriptedModels();
let ada: TestUser;
const app = await emptyApp({ models: script.models });
const other = await closing(testApp({ models: script.models, database: app.deps.database }));
beforeEach(async () => {
  ada = await app.signUp('Ada');
});

/** An open stream and what has come over it. */
async function listen(as: TestUser, process: TestApp = app, since = '') {
  const response = await process.app.request(`${ORIGIN}/api/live${since && `?since=${since}`}`, {
    headers: { cookie: as.cookie },
  });
  const events: { event: string; data: Record<string, unknown> }[] = [];
  let closed = false;
  if (response.body === null) throw new Error('the stream has no body');
  const reader = response.body.getReader();
  const reading = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = /^event: (.*)$/m.exec(block)?.[1];
        if (event) events.push({ event, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') });
      }
    }
  })()
    .catch(() => {})
    .finally(() => {
      closed = true;
    });
  await eventually(() => expect(events[0]?.event).toBe('hello'));
  const topics = () => events.filter((e) => e.event === 'changed').map((e) => e.data.topic);
  return {
    status: response.status,
    events,
    topics,
    isClosed: () => closed,
    stop: async () => (await reader.cancel(), reading),
  };
}

const createAgent = (as: TestUser = ada) =>
  app.request('POST', '/api/agents', { as, body: { name: 'Field Notes', prompt: 'p', memoryEnabled: false } });
const openSession = () => app.startSession(ada, 'field-notes');

it('tells every process of what one of them committed, and nobody else’s user', async () => {
  const bob = await app.signUp('Bob');
  const [here, there, his] = [await listen(ada), await listen(ada, other), await listen(bob)];
  await createAgent();
  await openSession();
  await eventually(() => {
    for (const stream of [here, there])
      expect(stream.topics()).toEqual(expect.arrayContaining(['agents', 'sessions', 'account']));
  });
  for (const topic of ['agents', 'sessions']) expect(his.topics()).not.toContain(topic);
  await Promise.all([here.stop(), there.stop(), his.stop()]);
});

it('says whether anything changed since a sign-in was read', async () => {
  const signIn = () => app.request('GET', '/api/auth/get-session', { as: ada });
  const { position } = (await signIn()).body;
  const isCurrent = async (...[process, since]: [TestApp?, string?]) => {
    const stream = await listen(ada, process, since);
    await stream.stop();
    return stream.events[0]?.data.isCurrent;
  };
  expect(await isCurrent(app, position)).toBe(true);
  expect(await isCurrent()).toBe(false);
  // Another process has not counted with this one.
  expect(await isCurrent(other, position)).toBe(false);
  await createAgent();
  await eventually(async () => expect(await isCurrent(app, position)).toBe(false));
  expect(await isCurrent(app, (await signIn()).body.position)).toBe(true);
});

describe('a running answer', () => {
  it('streams through every process, word by word and in order, and ends with the whole task', async () => {
    await createAgent();
    const sessionId = await openSession();
    const streams = [await listen(ada), await listen(ada, other)];
    const body = { agentId: 'field-notes', inputText: 'Hello' };
    await app.request('POST', `/api/sessions/${sessionId}/tasks`, { as: ada, body });
    const call = await script.next();
    for (const word of ['one ', 'two ', 'three']) {
      call.say(word);
      for (const { events } of streams) {
        await eventually(() => expect(events.some((e) => e.event === 'delta' && e.data.text === word)).toBe(true));
      }
    }
    call.end();
    for (const { events } of streams) {
      await eventually(() => expect(events.some((e) => e.event === 'done')).toBe(true));
      const deltas = events.filter((e) => e.event === 'delta').map((e) => e.data);
      expect(deltas.map((d) => d.text).join('')).toBe('one two three');
      expect(deltas.map((d) => d.seq)).toEqual(deltas.map((_, i) => i + 1));
      expect(events.find((e) => e.event === 'done')?.data.task).toMatchObject({
        status: 'done',
        message: 'one two three',
      });
    }
    await Promise.all(streams.map((stream) => stream.stop()));
  });

  it('is stopped from another process', async () => {
    await createAgent();
    const sessionId = await openSession();
    const body = { agentId: 'field-notes', inputText: 'Hello' };
    const { task } = (await app.request('POST', `/api/sessions/${sessionId}/tasks`, { as: ada, body })).body;
    const call = await script.next();
    call.say('One');
    await other.request('POST', `/api/sessions/${sessionId}/tasks/${task.id}/cancel`, { as: ada });
    await eventually(() => expect(call.aborted).toBe(true));
  });
});

describe('the stream ends with the sign-in that opened it', () => {
  it('on sign-out', async () => {
    const stream = await listen(ada);
    await app.request('POST', '/api/auth/sign-out', { as: ada, body: {} });
    await eventually(() => expect([stream.topics().includes('auth'), stream.isClosed()]).toEqual([true, true]));
    expect((await app.request('GET', '/api/live', { as: ada })).status).toBe(401);
  });

  it('when the account is disabled', async () => {
    const stream = await listen(ada, other);
    await disableAccount(app.deps, { userId: ada.uid, reason: 'test' });
    await eventually(() => expect([stream.topics().includes('auth'), stream.isClosed()]).toEqual([true, true]));
  });
});

it('tells of a new plan, even of one written by hand', async () => {
  const stream = await listen(ada);
  await app.deps.database.executeSql(`update profiles set subscription_status = 'pro' where user_id = $1`, [ada.uid]);
  await eventually(() => expect(stream.topics()).toContain('account'));
  await stream.stop();
});

it('cuts a reader off that takes nothing, and keeps nothing for it', async () => {
  const response = await app.app.request(`${ORIGIN}/api/live`, { headers: { cookie: ada.cookie } });
  await eventually(async () => expect(app.deps.live.hasListeners(ada.uid)).toBe(true));
  for (let i = 0; i < 5_100; i += 1) {
    app.deps.live.emit(ada.uid, { event: 'changed', data: { topic: 'agents', id: `${i}` } });
  }
  await eventually(async () => expect(app.deps.live.hasListeners(ada.uid)).toBe(false));
  await response.body?.cancel();
});

it('passes over a notice that it can’t read', async () => {
  const stream = await listen(ada);
  for (const payload of ['x', '{}', '{"u":"*","t":"of another version","i":""}']) {
    await app.deps.database.executeSql('select pg_notify($1, $2)', ['atelier_change', payload]);
  }
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Notes', prompt: 'p' } });
  await eventually(async () => expect(stream.topics()).toContain('agents'));
  await stream.stop();
});
