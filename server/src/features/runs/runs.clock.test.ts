import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branching } from '../../testing/branching.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { startMcpServer } from '../../testing/mcp/http-server.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { shiftClock } from '../../testing/shifted-clock.ts';
import { watchSigns } from './engine/lease.service.ts';

const HOUR = 3_600_000;
const script = scriptedModels();
let ada: TestUser;
let sessionId: string;
const app = await emptyApp({ models: script.models, env: { FETCH_ALLOWED: '127.0.0.1', LEASE_MS: '1500' } });
afterEach(() => shiftClock(0));
beforeEach(async () => {
  ada = await app.signUp('Ada');
  await app.request('POST', '/api/agents', {
    as: ada,
    body: { name: 'Field Notes', prompt: 'p', memoryEnabled: false },
  });
  sessionId = await openSession();
});

const openSession = () => app.startSession(ada, 'field-notes');
const { at, send, read, ended, says } = branching(() => ({ app, person: ada, sessionId, agentId: 'field-notes' }));

/** Waits until this process has looked for abandoned tasks more often than it takes to end one. */
async function manyLooks() {
  const look = watchSigns(app.deps, () => false);
  for (let looks = 0; looks < 30; looks += 1) {
    await look();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe.each([
  ['forward', HOUR],
  ['back', -HOUR],
])('a clock that is set %s by an hour', (_way, shift) => {
  it('ends no answer, and holds no word of it back', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    call.say('Half ');
    await says(body.task.id, 'Half ');
    shiftClock(shift);
    call.say('and ');
    await says(body.task.id, 'Half and ');
    await manyLooks();
    expect((await read(body.task.id)).status).toBe('running');
    call.say('whole').end();
    await ended(body.task.id);
    expect((await read(body.task.id)).message).toBe('Half and whole');
  });

  it('leaves every message in its place, for people and for the model', async () => {
    const exchange = async (text: string) => {
      const { body } = await send(text);
      const call = await script.next();
      call.say(`To ${text}`).end();
      await ended(body.task.id);
      return call;
    };
    await exchange('one');
    shiftClock(shift);
    await exchange('two');
    shiftClock(shift / 2);
    await exchange('three');
    shiftClock(0);
    const call = await exchange('four');
    expect(call.input.messages.filter((m) => m.role === 'user').map((m) => m.text)).toEqual([
      'one',
      'two',
      'three',
      'four',
    ]);
    const seen: { inputText: string; timestamp: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await app.request('GET', `/api/sessions/${sessionId}/tasks${query}`, { as: ada });
      seen.unshift(...body.tasks);
      cursor = body.nextCursor;
    }
    expect(seen.map((task) => task.inputText)).toEqual(['one', 'two', 'three', 'four']);
    expect(seen.map((task) => task.timestamp)).toEqual(seen.map((task) => task.timestamp).sort());
  });

  it('leaves sessions in the order in which they were made', async () => {
    const made = [sessionId];
    shiftClock(shift);
    made.push(await openSession());
    shiftClock(0);
    made.push(await openSession());
    const { body } = await app.request('GET', '/api/sessions', { as: ada });
    expect(body.sessions.map(({ id }: { id: string }) => id)).toEqual(made.toReversed());
  });

  it('lets a tool wait for its person', async () => {
    await app.grantPro(ada.uid);
    const server = await startMcpServer([{ name: 'book', description: 'Books.', inputSchema: { type: 'object' } }]);
    const added = await app.request('POST', '/api/mcp-servers', { as: ada, body: { name: 'B', url: server.url } });
    const tools = [added.body.server.tools[0].id];
    await app.request('PUT', '/api/agents/field-notes', { as: ada, body: { tools } });
    const { body } = await send('Book it');
    const call = await script.next();
    const booked = call.input.tools?.[0]?.execute({});
    await ended(body.task.id, 'waiting');
    shiftClock(shift);
    await manyLooks();
    const approval = { callId: (await read(body.task.id)).toolCalls[0]?.id, decision: 'once' };
    expect((await app.request('POST', at(body.task.id, '/approve'), { as: ada, body: approval })).status).toBe(202);
    await booked;
    call.say('Booked').end();
    await ended(body.task.id);
    expect((await read(body.task.id)).toolCalls).toMatchObject([{ state: 'done' }]);
    await server.close();
  });
});
