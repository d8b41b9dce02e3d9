import { session } from '@atelier/contract/sessions';
import { beforeEach, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { purgeSession } from '../removal/delete-session.service.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
});

const open = (body: unknown = { agentId: 'field-notes' }, as: TestUser | undefined = ada) =>
  app.request('POST', '/api/sessions', { as, body });
const sessionCount = async () => (await app.request('GET', '/api/me', { as: ada })).body.usage.sessionCount;
const at = (id: string, more = '') => `/api/sessions/${id}${more}`;

it('opens on an agent under the default name and counts', async () => {
  const answer = await open();
  expect(answer.status).toBe(201);
  expect(session.parse(answer.body.session)).toMatchObject({
    name: 'Session: Field Notes',
    agentId: 'field-notes',
    agentName: 'Field Notes',
    agentDeleted: false,
  });
  expect(await sessionCount()).toBe(1);
});

it('stops a free user at three, however many ask at once, and a Pro user never', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => open()));
  expect(answers.filter((a) => a.status === 201)).toHaveLength(3);
  const refused = answers.filter((a) => a.status === 402);
  expect(refused).toHaveLength(9);
  expect(refused[0]?.body.error).toEqual({
    code: 'limit_reached',
    message: 'Free tier users are limited to 3 sessions. Upgrade to Pro to create more.',
  });
  expect(await sessionCount()).toBe(3);
  await app.grantPro(ada.uid);
  expect((await open()).status).toBe(201);
});

it('makes one session of one key, however often it is sent', async () => {
  const keyed = (agentId = 'field-notes', as = ada) =>
    app.request('POST', '/api/sessions', { as, body: { agentId }, headers: { 'idempotency-key': 'first words' } });
  const answers = await Promise.all([keyed(), keyed(), keyed(), keyed()]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body.session.id)).size).toBe(1);
  expect(await sessionCount()).toBe(1);

  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Cook', prompt: 'p' } });
  expect((await keyed('cook')).status).toBe(409);
  await app.request('POST', '/api/agents', { as: bob, body: { name: 'Field Notes', prompt: 'p' } });
  expect((await keyed('field-notes', bob)).body.session.id).not.toBe(answers[0]?.body.session.id);
  await app.request('DELETE', at(answers[0]?.body.session.id), { as: ada });
  expect((await keyed()).status).toBe(404);
});

it('says what is missing: an agent at all, a choice, an agent of one’s own', async () => {
  const none = await open({ agentId: 'field-notes' }, bob);
  expect([none.status, none.body.error.message]).toEqual([
    400,
    'You must create at least one agent before starting a session.',
  ]);
  const unchosen = await open({ agentId: '' });
  expect([unchosen.status, unchosen.body.error.message]).toEqual([400, 'You must select an agent to start a session.']);
  expect((await open({})).body.error.message).toBe('You must select an agent to start a session.');
  await app.request('POST', '/api/agents', { as: bob, body: { name: 'Other', prompt: 'p' } });
  expect((await open({ agentId: 'field-notes' }, bob)).status).toBe(404);
});

it('renames, ignores an empty name at the server with 400, and keeps others out', async () => {
  const { id } = (await open()).body.session;
  const renamed = await app.request('PATCH', at(id), { as: ada, body: { name: '  Lisbon <b>2027</b> 🌞 ' } });
  expect(renamed.body.session.name).toBe('Lisbon <b>2027</b> 🌞');
  expect((await app.request('PATCH', at(id), { as: ada, body: { name: '  ' } })).status).toBe(400);
  expect((await app.request('PATCH', at(id), { as: ada, body: { name: 'n'.repeat(300) } })).status).toBe(400);
  for (const path of [at(id), at('not-a-uuid'), at('00000000-0000-7000-8000-000000000000')]) {
    expect((await app.request('PATCH', path, { as: bob, body: { name: 'Mine' } })).status).toBe(404);
    expect((await app.request('DELETE', path, { as: bob })).status).toBe(404);
    expect((await app.request('POST', `${path}/restore`, { as: bob })).status).toBe(404);
  }
  expect((await app.request('GET', '/api/sessions', { as: ada })).body.sessions[0].name).toContain('Lisbon');
});

it('deletes at once, undoes, and never counts below zero', async () => {
  const { id } = (await open()).body.session;
  const answers = await Promise.all(Array.from({ length: 5 }, () => app.request('DELETE', at(id), { as: ada })));
  expect(answers.filter((a) => a.status === 204).length).toBeGreaterThan(0);
  expect(await sessionCount()).toBe(0);
  expect((await app.request('GET', '/api/sessions', { as: ada })).body.sessions).toEqual([]);
  const restored = await app.request('POST', at(id, '/restore'), { as: ada });
  expect([restored.status, restored.body.session.id]).toEqual([200, id]);
  expect(await sessionCount()).toBe(1);
  expect((await app.request('POST', at(id, '/restore'), { as: ada })).status).toBe(404);
});

it('checks the limit again when a delete is undone', async () => {
  const { id } = (await open()).body.session;
  await app.request('DELETE', at(id), { as: ada });
  for (let i = 0; i < 3; i += 1) await open();
  expect((await app.request('POST', at(id, '/restore'), { as: ada })).status).toBe(402);
  expect(await sessionCount()).toBe(3);
});

it('is gone for good once purged, but never while its undo lasts or after a restore', async () => {
  const { id } = (await open()).body.session;
  const purge = () => purgeSession(app.deps, { userId: ada.uid, sessionId: id });
  await app.request('DELETE', at(id), { as: ada });
  await purge();
  expect((await app.request('POST', at(id, '/restore'), { as: ada })).status).toBe(200);
  await app.request('DELETE', at(id), { as: ada });
  await app.deps.database.executeSql(
    `update chat_sessions set deleted_at = now() - interval '1 minute' where id = $1`,
    [id],
  );
  // Removing it goes in portions: what has begun can't be undone, and goes on when it is called again.
  const removing = { ...app.deps, live: { ...app.deps.live, notify: () => Promise.reject(new Error('killed')) } };
  await app.deps.database.executeSql(
    `insert into memories (user_id, id, agent_id, session_id, kind, text, version)
     select user_id, gen_random_uuid(), agent_id, id, 'person', 'The kiln', 1 from chat_sessions where id = $1`,
    [id],
  );
  await expect(purgeSession(removing, { userId: ada.uid, sessionId: id })).rejects.toThrow('killed');
  expect((await app.request('POST', at(id, '/restore'), { as: ada })).status).toBe(404);
  await purge();
  expect((await app.deps.database.executeSql('select from chat_sessions where id = $1', [id])).rows).toEqual([]);
});

it('stays readable and marked when its agent is deleted, also under a new agent of that name', async () => {
  const { id } = (await open()).body.session;
  await app.request('DELETE', '/api/agents/field-notes', { as: ada });
  const old = await app.request('GET', at(id), { as: ada });
  expect(old.body.session).toMatchObject({ agentDeleted: true, agentName: 'Field Notes' });
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'another' } });
  expect((await app.request('GET', at(id), { as: ada })).body.session.agentDeleted).toBe(true);
  const answer = await app.request('POST', at(id, '/tasks'), {
    as: ada,
    body: { agentId: 'field-notes', inputText: 'Hello' },
  });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
});
