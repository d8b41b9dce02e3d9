import { task as taskSchema } from '@atelier/contract/runs';
import { beforeEach, describe, expect, it } from 'vitest';
import { branching } from '../../testing/branching.ts';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { jobsEnd } from '../../testing/jobs-end.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';

const script = scriptedModels();
let ada: TestUser;
let bob: TestUser;
let sessionId: string;
const app = await emptyApp({ models: script.models });
beforeEach(async () => {
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
  const body = { name: 'Field Notes', prompt: 'You help me plan trips', memoryEnabled: false, temperature: 0.7 };
  await app.request('POST', '/api/agents', { as: ada, body });
  sessionId = await openSession();
});

async function openSession() {
  return app.startSession(ada, 'field-notes');
}
const send = (inputText: string, more: { as?: TestUser; in?: string; agentId?: string } = {}) =>
  app.request('POST', `/api/sessions/${more.in ?? sessionId}/tasks`, {
    as: 'as' in more ? more.as : ada,
    body: { agentId: more.agentId ?? 'field-notes', inputText },
  });
const { at, read, usage, ended } = branching(() => ({ app, person: ada, sessionId, agentId: 'field-notes' }));

/** Sends a message and answers it. */
async function exchange(inputText: string, answer: string) {
  const { body } = await send(inputText);
  (await script.next()).say(answer).end();
  await ended(body.task.id);
  return body.task.id as string;
}

describe('a message', () => {
  it('is accepted, answered, stored and counted', async () => {
    const accepted = await send('Where to in May?');
    expect([accepted.status, accepted.body.task.status]).toEqual([202, 'running']);
    const call = await script.next();
    expect(call.input).toMatchObject({ model: 'gpt-4', temperature: 0.7, instructions: 'You help me plan trips' });
    call.say('To ').say('Lisbon.').end();
    await ended(accepted.body.task.id);
    expect(taskSchema.parse(await read(accepted.body.task.id))).toMatchObject({
      inputText: 'Where to in May?',
      message: 'To Lisbon.',
      agentName: 'Field Notes',
      usage: { inputTokens: 10, outputTokens: 5 },
    });
    expect(await usage()).toMatchObject({ messageCount: 1, taskCount: 1 });
  });

  it('goes with the conversation before it, in order', async () => {
    await exchange('First', 'One');
    await exchange('Second', 'Two');
    await send('Third');
    const call = await script.next();
    expect(call.input.messages.map((m) => m.text)).toEqual(['First', 'One', 'Second', 'Two', 'Third']);
    call.say('Three').end();
  });

  it.each([
    ['empty', ''],
    ['blank', ' \n\t '],
    ['over the limit', 'x'.repeat(32_001)],
    ['holding NUL', 'a\0b'],
  ])('is refused with 400 when %s, and costs nothing', async (_what, text) => {
    const answer = await send(text);
    expect([answer.status, answer.body.error.field]).toEqual([400, 'inputText']);
    expect(await usage()).toMatchObject({ messageCount: 0 });
  });

  it('of 1 MB is refused with 413 and the limit named', async () => {
    const answer = await send('x'.repeat(1_000_000));
    expect(answer.status).toBe(413);
    expect(answer.body.error.message).toContain('32,000');
  });

  it('keeps every character that a person can type', async () => {
    const text = '<script>alert(1)</script> **bold** 👩‍🍳 مرحبا ../../etc %00 \u{1F600}';
    const id = await exchange(text, text);
    expect(await read(id)).toMatchObject({ inputText: text, message: text });
  });

  it('is 404 in another person’s session, 400 for another agent', async () => {
    expect((await send('Hi', { as: bob })).status).toBe(404);
    const wrong = await send('Hi', { agentId: 'other' });
    expect([wrong.status, wrong.body.error.field]).toEqual([400, 'agentId']);
    expect((await send('Hi', { in: 'no-uuid' })).status).toBe(404);
  });

  it('waits its turn: a second one in a session that answers is 409', async () => {
    await send('One');
    const call = await script.next();
    expect((await send('Two')).status).toBe(409);
    call.say('.').end();
  });
});

describe('a failed run', () => {
  it('says why, keeps what had come, costs nothing, and can be retried once', async () => {
    const { body } = await send('Hello');
    (await script.next()).say('Half an ans').fail('429 Too many requests');
    await ended(body.task.id, 'failed');
    expect(await read(body.task.id)).toMatchObject({
      error: 'Failed to run agent task: 429 Too many requests',
      message: 'Half an ans',
    });
    expect(await usage()).toMatchObject({ messageCount: 0, taskCount: 0 });
    const retries = await Promise.all(
      [1, 2, 3].map(() => app.request('POST', at(body.task.id, '/retry'), { as: ada })),
    );
    expect(retries.map((r) => r.status)).toEqual([202, 202, 202]);
    expect(new Set(retries.map((r) => r.body.task.id)).size).toBe(1);
    expect(retries[0]?.body.task).toMatchObject({ retryOf: body.task.id, inputText: 'Hello' });
    (await script.next()).say('Whole').end();
    await ended(retries[0]?.body.task.id);
    expect((await read(body.task.id)).retriedBy).toBe(retries[0]?.body.task.id);
    expect((await app.request('POST', at(retries[0]?.body.task.id, '/retry'), { as: ada })).status).toBe(409);
  });

  it('is one whose answer is empty', async () => {
    const { body } = await send('Hello');
    (await script.next()).say('  ').end();
    await ended(body.task.id, 'failed');
  });
});

describe('stopping', () => {
  const cancel = (id: string, as: TestUser | undefined = ada) => app.request('POST', at(id, '/cancel'), { as });

  it('after the first word keeps it and counts', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    call.say('Once upon');
    await eventually(async () => expect((await read(body.task.id)).message).toBe('Once upon'));
    expect((await cancel(body.task.id, bob)).status).toBe(404);
    expect((await cancel(body.task.id)).status).toBe(202);
    await ended(body.task.id, 'cancelled');
    expect(call.aborted).toBe(true);
    expect(await read(body.task.id)).toMatchObject({ message: 'Once upon' });
    expect(await usage()).toMatchObject({ messageCount: 1, taskCount: 1 });
  });

  it('before the first word costs nothing', async () => {
    const { body } = await send('Hello');
    await script.next();
    await cancel(body.task.id);
    await ended(body.task.id, 'cancelled');
    expect(await usage()).toMatchObject({ messageCount: 0 });
  });

  it('happens to the runs of a session or agent that is deleted', async () => {
    await send('Hello');
    const first = await script.next();
    await app.request('DELETE', `/api/sessions/${sessionId}`, { as: ada });
    await eventually(async () => expect(first.aborted).toBe(true));
    sessionId = await openSession();
    await send('Hello');
    const second = await script.next();
    await app.request('DELETE', '/api/agents/field-notes', { as: ada });
    await eventually(async () => expect(second.aborted).toBe(true));
  });
});

describe('runAgentTask', () => {
  const run = (body: object, as: TestUser | undefined = ada) => app.request('POST', '/api/runAgentTask', { as, body });
  const input = () => ({ sessionId, agentId: 'field-notes', inputText: 'Hello' });

  it('waits for the answer', async () => {
    const answer = run({ ...input(), userId: ada.uid });
    (await script.next()).say('Hi there').end();
    expect((await answer).body).toMatchObject({ task: { status: 'done', message: 'Hi there' }, memoryUsed: '' });
  });

  it('refuses another user’s id, and gives the provider’s failure as the sentence', async () => {
    expect((await run({ ...input(), userId: bob.uid })).status).toBe(403);
    const answer = run(input());
    (await script.next()).fail('The key is not valid');
    expect((await answer).body.error).toEqual({
      code: 'provider_failed',
      message: 'Failed to run agent task: The key is not valid',
    });
  });
});

it('lists a session’s exchanges in ascending order, paged from the end', async () => {
  for (const n of [1, 2, 3, 4, 5]) await exchange(`Question ${n}`, `Answer ${n}`);
  const page = async (query: string) =>
    (await app.request('GET', `/api/sessions/${sessionId}/tasks${query}`, { as: ada })).body;
  const newest = await page('?limit=2');
  expect(newest.tasks.map((t: { message: string }) => t.message)).toEqual(['Answer 4', 'Answer 5']);
  const older = await page(`?limit=3&cursor=${newest.nextCursor}`);
  expect(older.tasks.map((t: { message: string }) => t.message)).toEqual(['Answer 1', 'Answer 2', 'Answer 3']);
  expect(older.nextCursor).toBeNull();
});

it('names the session after its first exchange, but never over a name that the person gave', async () => {
  await exchange('Lisbon in May', 'Yes');
  const name = async () => (await app.request('GET', `/api/sessions/${sessionId}`, { as: ada })).body.session.name;
  await eventually(async () => expect(await name()).toBe('About Lisbon in May'));
  sessionId = await openSession();
  await app.request('PATCH', `/api/sessions/${sessionId}`, { as: ada, body: { name: 'Mine' } });
  await exchange('Porto in June', 'Yes');
  await jobsEnd(app);
  expect(await name()).toBe('Mine');
});
