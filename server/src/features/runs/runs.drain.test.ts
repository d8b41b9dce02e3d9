import { afterEach, beforeEach, expect, it } from 'vitest';
import { borrowTestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';

const script = scriptedModels();
const LONG_MS = 600_000;
let database: Awaited<ReturnType<typeof borrowTestDatabase>>;
let app: TestApp;
let ada: TestUser;
let sessions: string[];
beforeEach(async () => {
  database = await borrowTestDatabase();
  app = await testApp({ models: script.models, database });
  ada = await app.signUp('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
  const open = () => app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'field-notes' } });
  sessions = [(await open()).body.session.id, (await open()).body.session.id];
});
afterEach(async () => {
  await app.close();
  await database.close();
});

const send = (inputText: string, sessionId = sessions[0]) =>
  app.request('POST', `/api/sessions/${sessionId}/tasks`, { as: ada, body: { agentId: 'field-notes', inputText } });
const stored = async (id: string) =>
  (await database.executeSql('select status, message from tasks where id = $1', [id])).rows[0];

it('an answer that runs is finished and followed to its end; a new one is refused, and the server is not ready', async () => {
  const { body } = await send('Hello');
  const call = await script.next();
  call.say('Half ');
  const followed = app.request('GET', `/api/sessions/${sessions[0]}/tasks/${body.task.id}/events`, { as: ada });
  const drained = app.app.drain(LONG_MS);

  const refused = await send('More', sessions[1]);
  expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const again = await app.request('POST', `/api/sessions/${sessions[0]}/tasks/${body.task.id}/retry`, { as: ada });
  expect(again.status).toBe(409);
  expect((await app.request('GET', '/readyz')).status).toBe(503);
  expect((await app.request('GET', '/healthz')).status).toBe(200);
  expect((await app.request('GET', '/api/me', { as: ada })).status).toBe(200);

  call.say('and whole').end();
  await drained;
  expect(await stored(body.task.id)).toEqual({ status: 'done', message: 'Half and whole' });
  expect((await followed).body).toContain('event: done');
  expect(script.calls).toHaveLength(1);
});

it('an answer that takes longer is interrupted, keeps what had come and costs nothing', async () => {
  const { body } = await send('Hello');
  const call = await script.next();
  call.say('Half');
  await eventually(async () => {
    const { rows } = await database.executeSql('select 1 from task_events where task_id = $1', [body.task.id]);
    expect(rows).toHaveLength(1);
  });
  await app.app.drain(1);
  expect(call.aborted).toBe(false);
  await app.app.stop();
  expect(call.aborted).toBe(true);
  expect(await stored(body.task.id)).toEqual({ status: 'interrupted', message: 'Half' });
  expect((await database.executeSql('select message_count from usage', [])).rows).toEqual([{ message_count: 0 }]);
});

it('without an answer under way there is nothing to wait for', async () => {
  await app.app.drain(LONG_MS);
});
