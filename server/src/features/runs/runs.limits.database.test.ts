import { beforeEach, describe, expect, it } from 'vitest';
import { branching } from '../../testing/branching.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Answer, emptyApp, type TestUser } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';

// What many requests at once may do is decided by the locks of the database.

const script = scriptedModels();
let ada: TestUser;
let sessionId: string;
const app = await emptyApp({ models: script.models });
beforeEach(async () => {
  ada = await app.signUp('Ada');
  const body = { name: 'Field Notes', prompt: 'You help me plan trips', memoryEnabled: false };
  await app.request('POST', '/api/agents', { as: ada, body });
  sessionId = await openSession();
});

const openSession = () => app.startSession(ada, 'field-notes');
const send = (inputText: string, more: { key?: string; in?: string } = {}) =>
  app.request('POST', `/api/sessions/${more.in ?? sessionId}/tasks`, {
    as: ada,
    body: { agentId: 'field-notes', inputText },
    headers: more.key === undefined ? {} : { 'idempotency-key': more.key },
  });
const { usage, ended } = branching(() => ({ app, person: ada, sessionId, agentId: 'field-notes' }));
const setMessages = (n: number) =>
  app.deps.database.executeSql('update usage set message_count = $1, task_count = $1 where user_id = $2', [n, ada.uid]);

describe('limits', () => {
  const accepted = (answers: Answer[]) => answers.filter((a) => a.status === 202);

  it('let exactly one of 40 parallel messages through with 9 used', async () => {
    await setMessages(9);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => send(`Message ${i}`)));
    expect(accepted(answers)).toHaveLength(1);
    const refused = answers.filter((a) => a.status === 402);
    expect(refused).toHaveLength(39);
    expect(refused[0]?.body.error.message).toBe(
      'Free tier users are limited to 10 messages. Upgrade to Pro to send more.',
    );
    (await script.next()).say('Fine.').end();
    await ended(accepted(answers)[0]?.body.task.id);
    expect(await usage()).toMatchObject({ messageCount: 10, taskCount: 10 });
  });

  it('count runs in flight over several sessions', async () => {
    await setMessages(8);
    const others = [sessionId, await openSession(), await openSession()];
    const answers = await Promise.all(others.map((id) => send('Hello', { in: id })));
    expect(accepted(answers)).toHaveLength(2);
    for (const _ of accepted(answers)) (await script.next()).say('Hi').end();
    await eventually(async () => expect((await usage()).messageCount).toBe(10));
  });

  it('say so when the tasks are used up', async () => {
    await app.deps.database.executeSql('update usage set task_count = 50 where user_id = $1', [ada.uid]);
    const answer = await send('Hello');
    expect([answer.status, answer.body.error.message]).toEqual([
      402,
      'Free tier users are limited to 50 tasks. Upgrade to Pro to create more.',
    ]);
  });

  it('do not bind a Pro user', async () => {
    await setMessages(50);
    await app.grantPro(ada.uid);
    expect((await send('Hello')).status).toBe(202);
    (await script.next()).say('Hi').end();
  });
});

describe('an idempotency key', () => {
  it('answers the same task for the same message, however often and at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('Hello', { key: 'k1' })));
    expect(answers.map((a) => a.status)).toEqual(Array(6).fill(202));
    expect(new Set(answers.map((a) => a.body.task.id)).size).toBe(1);
    (await script.next()).say('Hi').end();
    await ended(answers[0]?.body.task.id);
    expect((await send('Hello', { key: 'k1' })).body.task.status).toBe('done');
    expect(await usage()).toMatchObject({ messageCount: 1 });
  });

  it('is refused with another message, and forgotten after a day', async () => {
    await send('Hello', { key: 'k1' });
    expect((await send('Another', { key: 'k1' })).status).toBe(409);
    (await script.next()).say('Hi').end();
    await eventually(async () => expect((await usage()).messageCount).toBe(1));
    await app.deps.database.executeSql(`update tasks set created_at = now() - interval '25 hours'`);
    expect((await send('Another', { key: 'k1' })).status).toBe(202);
    (await script.next()).say('Hi').end();
  });
});
