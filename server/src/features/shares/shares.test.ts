import { SHARE_LIMITS } from '@atelier/contract/shares';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { beforeTransaction } from '../../testing/in-between.ts';
import { agents } from '../agents/agents.table.ts';
import { shares } from './shares.table.ts';

let ada: TestUser;
let bob: TestUser;
let sessionId: string;
const NOWHERE = '00000000-0000-7000-8000-000000000000';

const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada Lovelace'), await app.signUp('Bob')];
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
  sessionId = await open();
});

afterEach(() => void vi.restoreAllMocks());

const open = () => app.startSession(ada, 'field-notes');
const say = async (inputText: string, to = sessionId) =>
  (
    await app.request('POST', '/api/runAgentTask', {
      as: ada,
      body: { sessionId: to, agentId: 'field-notes', inputText },
    })
  ).body.task;
const share = (body: object = {}, as: TestUser | undefined = ada, of = sessionId) =>
  app.request('POST', `/api/sessions/${of}/shares`, { as, body });
const change = (id: string, body: object, as: TestUser | undefined = ada) =>
  app.request('PATCH', `/api/shares/${id}`, { as, body });
const words = async (token: string): Promise<string[]> =>
  (await app.request('GET', `/api/shared/${token}`)).body.shared.exchanges.map(
    (e: { inputText: string }) => e.inputText,
  );

describe('a link to a session', () => {
  it('stays as it is until its owner takes a new picture', async () => {
    await say('First');
    const made = await share();
    expect(made.status).toBe(201);
    expect(made.body.share).toMatchObject({
      sessionId,
      taskId: null,
      withReceipts: false,
      follows: false,
      exchanges: 1,
    });
    const { id, token } = made.body.share;
    expect(token).toMatch(/^[\w-]{43}$/u);
    await say('Second');
    expect(await words(token)).toEqual(['First']);
    const renewed = await change(id, { renew: true });
    expect(renewed.body.share).toMatchObject({ id, token, exchanges: 2 });
    expect(await words(token)).toEqual(['First', 'Second']);
  });

  it('follows the session where its owner wants that, and freezes when they no longer do', async () => {
    await say('First');
    const { id, token } = (await share({ follows: true })).body.share;
    await say('Second');
    expect(await words(token)).toEqual(['First', 'Second']);
    expect((await change(id, { follows: false })).body.share).toMatchObject({ follows: false, exchanges: 2 });
    await say('Third');
    expect(await words(token)).toEqual(['First', 'Second']);
  });

  it('shows no more than its owner wants by now, whatever else changes at the same time', async () => {
    await say('First');
    const { id } = (await share({ follows: true, withReceipts: true })).body.share;
    beforeTransaction(app, () => change(id, { withReceipts: false }));
    expect((await change(id, { renew: true })).body.share).toMatchObject({ follows: true, withReceipts: false });
    beforeTransaction(app, () => change(id, { follows: false }));
    expect((await change(id, { withReceipts: true })).body.share).toMatchObject({ follows: false, withReceipts: true });
  });

  it('is refused before there is an answer, for one answer that should follow, and with fields that don’t exist', async () => {
    expect((await share()).status).toBe(409);
    const { id: taskId } = await say('First');
    for (const body of [{ taskId, follows: true }, { forever: true }, { taskId: 'x' }, { follows: 'yes' }]) {
      expect((await share(body)).status).toBe(400);
    }
    const { id } = (await share({ taskId })).body.share;
    expect((await change(id, { follows: true })).body.error.field).toBe('follows');
  });

  it('shows one answer alone, without the session’s name, and none of another session', async () => {
    const { id: taskId } = await say('First');
    await say('Second');
    const { token } = (await share({ taskId })).body.share;
    const { shared } = (await app.request('GET', `/api/shared/${token}`)).body;
    expect([shared.title, shared.exchanges.length]).toEqual([null, 1]);
    const elsewhere = await say('Elsewhere', await open());
    expect((await share({ taskId: elsewhere.id })).status).toBe(404);
    expect((await share({ taskId: NOWHERE })).status).toBe(404);
  });

  it('belongs to its owner', async () => {
    await say('First');
    const { id } = (await share()).body.share;
    expect((await share({}, bob)).status).toBe(404);
    for (const path of [`/api/sessions/${sessionId}/shares`, '/api/sessions/x/shares']) {
      expect((await app.request('GET', path, { as: bob })).status).toBe(404);
    }
    expect((await app.request('GET', '/api/shares', { as: bob })).body.shares).toEqual([]);
    for (const path of [id, 'x', NOWHERE]) {
      expect((await change(path, { renew: true }, bob)).status).toBe(404);
      expect((await app.request('DELETE', `/api/shares/${path}`, { as: bob })).status).toBe(404);
    }
    expect((await app.request('GET', '/api/shares', { as: ada })).body.shares).toHaveLength(1);
  });

  it('ends when it is revoked, twice at once too', async () => {
    await say('First');
    const { id, token } = (await share()).body.share;
    const revoke = () => app.request('DELETE', `/api/shares/${id}`, { as: ada });
    expect((await Promise.all([revoke(), revoke()])).map(({ status }) => status).toSorted()).toContain(204);
    expect((await app.request('GET', `/api/shared/${token}`)).status).toBe(404);
    expect((await change(id, { renew: true })).status).toBe(404);
  });

  it('is one of at most as many as an account may have, however many ask at once', async () => {
    const { id: taskId } = await say('First');
    await app.deps.database.executeSql(
      `insert into shares (user_id, id, session_id, token)
       select $1, gen_random_uuid(), $2, 'token ' || i from generate_series(1, $3::int) i`,
      [ada.uid, sessionId, SHARE_LIMITS.links - 4],
    );
    const asked = await Promise.all(Array.from({ length: 12 }, () => share({ taskId })));
    expect(asked.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(asked.filter(({ status }) => status === 409)).toHaveLength(8);
  });

  it('shows only the last exchanges of a long session, and says so', async () => {
    await say('A'.repeat(100));
    const { token } = (await share({ follows: true })).body.share;
    const [row] = await app.deps.db.select().from(agents).where(eq(agents.userId, ada.uid));
    const long = 'x'.repeat(30_000);
    for (let i = 0; i < 40; i += 1) {
      await app.deps.database.executeSql(
        `insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model)
         values ($1, gen_random_uuid(), $2, $3, 'Field Notes', $4, 'Well.', 'done', 'offline')`,
        [ada.uid, sessionId, row?.id, long],
      );
    }
    const { shared } = (await app.request('GET', `/api/shared/${token}`)).body;
    expect(shared.hasEarlier).toBe(true);
    expect(shared.exchanges.length).toBeLessThan(40);
    expect((await share()).body.share.exchanges).toBe(shared.exchanges.length);
  });
});

it('tells every open page of its owner', async () => {
  await say('First');
  const heard: unknown[] = [];
  const stop = app.deps.live.subscribe(ada.uid, (message) => heard.push(message.data));
  const { id } = (await share()).body.share;
  await expect.poll(() => heard).toContainEqual({ topic: 'shares', id: sessionId });
  heard.length = 0;
  await app.request('DELETE', `/api/shares/${id}`, { as: ada });
  await expect.poll(() => heard).toContainEqual({ topic: 'shares', id: sessionId });
  stop();
  expect(await app.deps.db.select().from(shares)).toEqual([]);
});
