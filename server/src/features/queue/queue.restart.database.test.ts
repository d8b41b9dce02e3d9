import { QUEUE_SENTENCES } from '@atelier/contract/runs/queue';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { branching } from '../../testing/branching.ts';
import { borrowTestDatabase, emptyTables } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';

let script: ReturnType<typeof scriptedModels>;
let database: Awaited<ReturnType<typeof borrowTestDatabase>>;
let app: TestApp;
let ada: TestUser;
let sessionId: string;
const start = () => testApp({ models: script.models, database });
beforeEach(async () => {
  script = scriptedModels();
  database = await borrowTestDatabase();
  await emptyTables(database);
  app = await start();
  ada = await app.signUp('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
  sessionId = await app.startSession(ada, 'field-notes');
});
afterEach(async () => {
  await app.close();
  await database.close();
});

const post = (where: string, body?: object) =>
  app.request('POST', `/api/sessions/${sessionId}/${where}`, { as: ada, body });
const { send, path: tasks, asked } = branching(() => ({ app, person: ada, sessionId, agentId: 'field-notes' }));
const queue = (inputText: string) => post('queue', { inputText });
const listed = async () => (await app.request('GET', `/api/sessions/${sessionId}/queue`, { as: ada })).body.queue;
const ended = () => eventually(async () => expect((await tasks()).at(-1)?.status).toBe('done'));
const emptied = () => eventually(async () => expect(await listed()).toEqual([]));

/** Ends this process, after its answers if it may let them finish, and starts the next one. */
async function restart() {
  await app.close();
  app = await start();
  await app.app.resumeQueues();
}

it('goes on by itself in the next process when the answer could finish', async () => {
  await send('one');
  const first = await script.next();
  await queue('two');
  await queue('three');
  const drained = app.app.drain(10_000);
  first.say('1').end();
  await drained;
  expect(await asked()).toEqual(['one']);
  await restart();
  (await script.next()).say('2').end();
  (await script.next()).say('3').end();
  await emptied();
  await ended();
  expect(await asked()).toEqual(['one', 'two', 'three']);
});

it('waits for the person when the restart cut the answer off; nothing is lost, and nothing sent twice', async () => {
  await send('one');
  await script.next();
  await queue('two');
  await restart();
  expect((await listed())[0]).toMatchObject({ inputText: 'two', state: 'paused', reason: QUEUE_SENTENCES.interrupted });
  expect(await asked()).toEqual(['one']);
  await post('queue/send');
  (await script.next()).say('2').end();
  await emptied();
  await ended();
  expect(await asked()).toEqual(['one', 'two']);
});

it('sends a message once, when the process died between sending it and taking it out of the queue', async () => {
  await send('one');
  const first = await script.next();
  await queue('two');
  await queue('three');
  const kept = (await database.executeSql('select * from queued_messages', [])).rows;
  first.say('1').end();
  const second = await script.next();
  await eventually(async () => expect(await listed()).toHaveLength(1));
  const two = kept.find((row) => row.input_text === 'two');
  await database.executeSql(
    `insert into queued_messages (user_id, id, session_id, input_text, sending_at, waiting_since, created_at)
     values ($1, $2, $3, 'two', now(), $4, $4)`,
    [ada.uid, two?.id, sessionId, two?.created_at],
  );
  second.say('2');
  await restart();
  expect((await listed()).map((one: { inputText: string }) => one.inputText)).toEqual(['three']);
  expect(await asked()).toEqual(['one', 'two']);
});
