import { beforeEach, describe, expect, it } from 'vitest';
import { branching } from '../../testing/branching.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Answer, emptyApp, type TestUser } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { interruptRuns, LOOKS_A_LEASE, renewLeases, watchSigns } from './engine/lease.service.ts';
import { findSigns } from './runs.queries.ts';

const script = scriptedModels();
let ada: TestUser;
let bob: TestUser;
let sessionId: string;
const app = await emptyApp({ models: script.models });
beforeEach(async () => {
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
  const body = { name: 'Field Notes', prompt: 'p', memoryEnabled: false };
  await app.request('POST', '/api/agents', { as: ada, body });
  sessionId = await app.startSession(ada, 'field-notes');
});

const { at, send, read, usage } = branching(() => ({ app, person: ada, sessionId, agentId: 'field-notes' }));
const signs = async () => (await findSigns(app.deps.db)).map(({ sign }) => sign);

describe('the event stream', () => {
  const follow = (id: string, headers: Record<string, string> = {}, as: TestUser | undefined = ada) =>
    app.request('GET', at(id, '/events'), { as, headers });
  const eventsOf = (answer: Answer) =>
    (answer.body as string)
      .split('\n\n')
      .filter((block) => block.startsWith('event:'))
      .map((block) => ({
        type: /^event: (.*)$/m.exec(block)?.[1],
        id: Number(/^id: (.*)$/m.exec(block)?.[1]),
        data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null'),
      }));
  const textOf = (events: ReturnType<typeof eventsOf>) =>
    events
      .filter((e) => e.type === 'delta')
      .map((e) => e.data.text)
      .join('');

  it('carries every word once to each follower, whenever they come, and ends with the whole task', async () => {
    const { body } = await send('Hello');
    const early = follow(body.task.id);
    const call = await script.next();
    let said = '';
    for (const word of ['one ', 'two ', 'three ']) {
      call.say(word);
      said += word;
      await eventually(async () => expect((await read(body.task.id)).message).toBe(said));
    }
    const late = follow(body.task.id);
    const resumed = follow(body.task.id, { 'last-event-id': '2' });
    await read(body.task.id);
    call.say('four').end();
    for (const events of (await Promise.all([early, late])).map(eventsOf)) {
      expect(textOf(events)).toBe('one two three four');
      expect(events.map((e) => e.id)).toEqual(events.map((_, i) => i + 1));
      expect(events.at(-1)).toMatchObject({ type: 'done', data: { task: { message: 'one two three four' } } });
    }
    expect(eventsOf(await resumed)[0]?.id).toBe(3);
    const after = eventsOf(await follow(body.task.id));
    expect(after.at(-1)?.type).toBe('done');
    const last = String(after.at(-1)?.id);
    expect((await follow(body.task.id, { 'last-event-id': last })).status).toBe(204);
  });

  it('comes with the answer to the message for whoever accepts one, the task first', async () => {
    const sent = (more: Record<string, string> = {}) =>
      app.request('POST', at('').slice(0, -1), {
        as: ada,
        body: { agentId: 'field-notes', inputText: 'Hello' },
        headers: { accept: 'text/event-stream', 'idempotency-key': 'once', ...more },
      });
    const streamed = sent();
    (await script.next()).say('Hi').say(' there').end();
    const answer = await streamed;
    expect([answer.status, answer.headers.get('content-type')]).toEqual([202, 'text/event-stream']);
    const told = eventsOf(answer);
    expect(told[0]).toMatchObject({ type: 'task', data: { task: { inputText: 'Hello', status: 'running' } } });
    expect(told.at(-1)).toMatchObject({ type: 'done', data: { task: { message: 'Hi there' } } });
    // What follows the task is what a follower gets, so that it goes on there after a break.
    const { id } = told[0]?.data.task ?? {};
    expect(told.slice(1).map((event) => event.id)).toEqual(eventsOf(await follow(id)).map((event) => event.id));
    expect(
      eventsOf(await sent()).map(({ type }) => type),
      'the same key',
    ).toEqual(['task', 'delta', 'delta', 'done']);
    expect((await sent({ 'idempotency-key': 'other', accept: 'application/json' })).status).toBe(202);
    (await script.next()).say('Hi').end();
    expect(
      (await app.request('POST', at('').slice(0, -1), { as: bob, body: {}, headers: { accept: 'text/event-stream' } }))
        .status,
    ).toBe(400);
  });

  it('is nobody else’s', async () => {
    const { body } = await send('Hello');
    expect((await follow(body.task.id, {}, bob)).status).toBe(404);
    (await script.next()).say('Hi').end();
  });
});

describe('a run whose process is gone', () => {
  it('turns interrupted with its partial text, costs nothing, and can be retried', async () => {
    const { body } = await send('Hello');
    (await script.next()).say('Half');
    await eventually(async () => expect((await read(body.task.id)).message).toBe('Half'));
    await app.deps.database.executeSql('update tasks set lease_owner = gen_random_uuid() where id = $1', [
      body.task.id,
    ]);
    await interruptRuns(app.deps, await signs());
    expect(await read(body.task.id)).toMatchObject({ status: 'interrupted', message: 'Half' });
    expect(await usage()).toMatchObject({ messageCount: 0 });
    expect((await app.request('POST', at(body.task.id, '/retry'), { as: ada })).status).toBe(202);
    (await script.next()).say('Whole').end();
  });

  it('is answered as it ended to whoever asks with its key, without being told to try again', async () => {
    const ask = () =>
      app.request('POST', '/api/runAgentTask', {
        as: ada,
        body: { sessionId, agentId: 'field-notes', inputText: 'Hello' },
        headers: { 'idempotency-key': 'one message' },
      });
    const waiting = ask();
    (await script.next()).say('Half');
    await eventually(async () => expect((await signs()).length).toBe(1));
    await app.deps.database.executeSql('update tasks set lease_owner = gen_random_uuid()');
    await interruptRuns(app.deps, await signs());
    for (const answer of [await waiting, await ask()]) {
      expect([answer.status, answer.body.task?.status]).toEqual([200, 'interrupted']);
      expect(answer.headers.get('retry-after')).toBeNull();
    }
  });

  it('writes nothing more when it wakes up again', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    call.say('Half');
    await eventually(async () => expect((await read(body.task.id)).message).toBe('Half'));
    await interruptRuns(app.deps, await signs());
    call.say(' and the rest').end();
    await eventually(async () =>
      expect(call.aborted || (await read(body.task.id)).status === 'interrupted').toBe(true),
    );
    await eventually(() => expect(app.app.runner.runs(body.task.id)).toBe(false));
    expect(await read(body.task.id)).toMatchObject({ status: 'interrupted', message: 'Half' });
    expect(await usage()).toMatchObject({ messageCount: 0 });
  });

  it('is left alone where it gave a sign of life since', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    const before = await signs();
    await renewLeases(app.deps, [body.task.id]);
    await interruptRuns(app.deps, before);
    expect((await read(body.task.id)).status).toBe('running');
    call.say('Hi').end();
  });

  it('is given up only when its sign stood still for a whole lease', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    const look = watchSigns(app.deps, () => false);
    const found: number[] = [];
    for (let looks = 0; looks <= LOOKS_A_LEASE; looks += 1) found.push((await look()).length);
    // The looks are a sixth of a lease apart, so that the seventh comes a lease after the first.
    expect(found).toEqual([0, 0, 0, 0, 0, 0, 1]);
    await renewLeases(app.deps, [body.task.id]);
    expect(await look(), 'a new sign').toEqual([]);
    call.say('Hi').end();
  });

  it('is ended at once by a cancel', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    call.say('Half');
    await eventually(async () => expect((await read(body.task.id)).message).toBe('Half'));
    // Another attempt is not the run's to write: it stops without a word.
    await app.deps.database.executeSql('update tasks set attempt = attempt + 1 where id = $1', [body.task.id]);
    call.say(' and more');
    await eventually(() => expect(call.aborted).toBe(true));
    await eventually(() => expect(app.app.runner.runs(body.task.id)).toBe(false));
    const stopped = await app.request('POST', at(body.task.id, '/cancel'), { as: ada });
    expect([stopped.status, stopped.body.task]).toMatchObject([202, { status: 'interrupted', message: 'Half' }]);
    expect((await app.request('POST', at(body.task.id, '/retry'), { as: ada })).status).toBe(202);
    (await script.next()).say('Whole').end();
  });
});
