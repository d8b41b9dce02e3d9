import { SENTENCES } from '@atelier/contract/errors';
import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { branching } from '../../testing/branching.ts';
import { borrowTestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { attachmentsOf } from '../../testing/files.ts';
import { flakyDatabase } from '../../testing/flaky-database.ts';
import { emptyApp, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { startMcpServer } from '../../testing/mcp/http-server.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';

/** Some seconds of them: the runner alone looks ten times a second here. */
const MANY = 40;

const script = scriptedModels();
let ada: TestUser;
let sessionId: string;
const loggedEvents: string[] = [];
const real = await closing(borrowTestDatabase());
const flaky = flakyDatabase(real);
const app = await emptyApp({
  models: script.models,
  database: flaky.database,
  log: { ...silentLog, error: (event) => void loggedEvents.push(event) },
  env: { LEASE_MS: '1500', FETCH_ALLOWED: '127.0.0.1' },
});
beforeEach(async () => {
  loggedEvents.length = 0;
  ada = await app.signUp('Ada');
  const body = { name: 'Field Notes', prompt: 'p', memoryEnabled: true };
  await app.request('POST', '/api/agents', { as: ada, body });
  sessionId = await app.startSession(ada, 'field-notes');
});

const { at, send, read, usage, ended, says } = branching(() => ({
  app,
  person: ada,
  sessionId,
  agentId: 'field-notes',
}));
const post = (id: string, action: string) => app.request('POST', at(id, action), { as: ada });
const moreFailures = async (count: number) => {
  const before = flaky.failures();
  await eventually(() => expect(flaky.failures()).toBeGreaterThanOrEqual(before + count));
};
const events = async (id: string) =>
  (await flaky.database.executeSql('select seq, data from task_events where task_id = $1 order by seq', [id])).rows;

describe('while the database is away', () => {
  it('an answer goes on, and stands whole and once when it is back', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    call.say('one ');
    await says(body.task.id, 'one ');
    flaky.away();
    call.say('two ');
    await moreFailures(MANY);
    call.say('three ');
    await moreFailures(5);
    flaky.back();
    await says(body.task.id, 'one two three ');
    call.say('four').end();
    await ended(body.task.id, 'done');
    expect((await read(body.task.id)).message).toBe('one two three four');
    expect((await events(body.task.id)).map((row) => Number(row.seq))).toEqual([1, 2, 3, 4]);
  });

  it('an answer that ends is kept, counted and remembered once it is back', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    call.say('Half ');
    await says(body.task.id, 'Half ');
    flaky.away();
    call.say('and whole').end();
    await moreFailures(MANY);
    flaky.back();
    await ended(body.task.id, 'done');
    expect((await read(body.task.id)).message).toBe('Half and whole');
    expect(await usage()).toMatchObject({ messageCount: 1, taskCount: 1 });
    const { rows } = await flaky.database.executeSql('select kind from memories where task_id = $1', [body.task.id]);
    expect(rows.map((row) => row.kind).sort()).toEqual(['agent', 'person']);
    expect((await send('More')).status).toBe(202);
    (await script.next()).say('Fine').end();
  });

  it('an answer that ends is kept, although its storing fails once more when it is back', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    call.say('Whole');
    await eventually(async () => expect(await events(body.task.id)).toHaveLength(1));
    flaky.away();
    call.end();
    await moreFailures(MANY);
    flaky.failTransactions('before');
    flaky.back();
    await ended(body.task.id, 'done');
    expect((await read(body.task.id)).message).toBe('Whole');
  });

  /** Sends a message, and takes the database away once it is accepted: its attachment is still to be read. */
  async function sendInto() {
    await app.grantPro(ada.uid);
    const { add } = attachmentsOf(
      () => app,
      () => ada,
      () => sessionId,
    );
    const attachmentIds = [(await add('notes.txt', 'Marlin is blue.')).id];
    const { accepted } = script.models;
    script.models.accepted = (id) => {
      flaky.away();
      return accepted(id);
    };
    const body = { agentId: 'field-notes', inputText: 'Hello', attachmentIds };
    const sent = await app.request('POST', `/api/sessions/${sessionId}/tasks`, { as: ada, body });
    script.models.accepted = accepted;
    expect(sent.status).toBe(202);
    return sent.body.task.id as string;
  }

  it('an answer that begins waits for it', async () => {
    const id = await sendInto();
    await eventually(() => expect(loggedEvents).toContain('runs.waits'));
    flaky.back();
    (await script.next()).say('Better').end();
    await ended(id, 'done');
  });

  it('for longer than a lease, an answer that begins fails, and says why', async () => {
    const id = await sendInto();
    await eventually(() => expect(loggedEvents).toContain('runs.failed'));
    flaky.back();
    await ended(id, 'failed');
    expect((await read(id)).error).toBe(SENTENCES.runFailedPrefix + SENTENCES.unavailable);
  });

  it('words whose storing was answered by nobody are not stored twice', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    flaky.loseAnswers(3);
    call.say('one ');
    await moreFailures(3);
    call.say('two').end();
    await ended(body.task.id, 'done');
    expect((await events(body.task.id)).map((row) => row.data)).toEqual([{ text: 'one ' }, { text: 'two' }]);
  });

  it('an end whose storing was answered by nobody counts once, and what waits for it is sent', async () => {
    const { body } = await send('Hello');
    const call = await script.next();
    const next = { inputText: 'And then?' };
    await app.request('POST', `/api/sessions/${sessionId}/queue`, { as: ada, body: next });
    flaky.failTransactions('after');
    call.say('Whole').end();
    const second = await script.next();
    expect(second.input.messages.map(({ text }) => text)).toEqual(['Hello', 'Whole', 'And then?']);
    expect((await read(body.task.id)).status).toBe('done');
    const { rows } = await flaky.database.executeSql('select purpose, calls from token_ledger', []);
    expect(rows).toEqual([{ purpose: 'answer', calls: 1 }]);
    second.say('Then this.').end();
    await eventually(async () => expect(await usage()).toMatchObject({ messageCount: 2, taskCount: 2 }));
  });

  it('a tool that waits for the person goes on waiting', async () => {
    await app.grantPro(ada.uid);
    const server = await startMcpServer([{ name: 'book', description: 'Books.', inputSchema: { type: 'object' } }]);
    const added = await app.request('POST', '/api/mcp-servers', { as: ada, body: { name: 'B', url: server.url } });
    const tools = [added.body.server.tools[0].id];
    await app.request('PUT', '/api/agents/field-notes', { as: ada, body: { tools } });
    const { body } = await send('Book it');
    const call = await script.next();
    const booked = call.input.tools?.[0]?.execute({});
    await ended(body.task.id, 'waiting');
    flaky.away();
    await moreFailures(3);
    flaky.back();
    const approval = { callId: (await read(body.task.id)).toolCalls[0]?.id, decision: 'once' };
    const approved = await app.request('POST', at(body.task.id, '/approve'), { as: ada, body: approval });
    expect(approved.status).toBe(202);
    await booked;
    call.say('Booked').end();
    await ended(body.task.id, 'done');
    expect((await read(body.task.id)).toolCalls).toMatchObject([{ state: 'done' }]);
    await server.close();
  });
});

describe('a task that nobody runs any more', () => {
  /** Takes a running task away from its run, as a crash of the run would, and leaves it with this process. */
  async function abandoned() {
    const { body } = await send('Hello');
    const call = await script.next();
    call.think('Hm.').say('Half');
    await says(body.task.id, 'Half');
    // Another attempt is not the run's to write: it stops without a word.
    await flaky.database.executeSql('update tasks set attempt = attempt + 1 where id = $1', [body.task.id]);
    call.say(' and more');
    await eventually(() => expect(call.aborted).toBe(true));
    return body.task.id as string;
  }

  it('ends by itself, keeps what had come, costs nothing and can be retried', async () => {
    const id = await abandoned();
    await ended(id, 'interrupted');
    expect(await read(id)).toMatchObject({ message: 'Half', thoughts: 'Hm.' });
    expect(await usage()).toMatchObject({ messageCount: 0, taskCount: 0 });
    const retried = await post(id, '/retry');
    expect(retried.status).toBe(202);
    (await script.next()).say('Whole').end();
    await ended(retried.body.task.id, 'done');
  });
});

describe('a process', () => {
  it('leaves the runs of another alone for as long as that gives signs of life, whatever its lease says', async () => {
    const other = await testApp({ models: script.models, database: flaky.database, env: { LEASE_MS: '1500' } });
    const { body } = await send('Hello');
    const call = await script.next();
    call.say('Half');
    for (let i = 0; i < 20; i += 1) {
      await flaky.database.executeSql(
        `update tasks set lease_until = lease_until - interval '1 hour' where status = 'running'`,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    call.say(' and whole').end();
    await ended(body.task.id, 'done');
    expect((await read(body.task.id)).message).toBe('Half and whole');
    await other.close();
  });
});
