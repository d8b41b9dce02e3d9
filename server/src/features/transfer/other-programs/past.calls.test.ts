import { beforeEach, describe, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../../testing/harness.ts';
import { importingPast } from '../../../testing/importing-past.ts';
import { chatGptExport, madeTalk, makeTalks } from '../../../testing/past-exports.ts';

let ada: TestUser;
const app = await emptyApp({ env: { FACTS: 'rules' } });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
});
const { call, ended, upload, preview, run, rowsOf, undo } = importingPast(
  () => app,
  () => ada,
);

describe('its calls', () => {
  const choice = { agentId: null, conversations: [0], facts: [] };
  const CALLS = [
    ['GET', '/past', undefined],
    ['PUT', '/past', choice],
    ['POST', '/undo', undefined],
  ] as const;

  it.each(CALLS)('%s %s answers its owner only', async (method, end, body) => {
    const { path } = await preview(chatGptExport(makeTalks(10, 10)));
    const bob = await app.signUp('Bob');
    const statuses = [
      await app.request(method, path + end, { as: bob, body }),
      await app.request(method, `/api/imports/nothing${end}`, { as: ada, body }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404]);
  });

  it('refuse what is malformed, too large or of somebody else', async () => {
    const { path } = await preview(chatGptExport(makeTalks(10, 10)));
    const put = async (body: unknown) => (await app.request('PUT', `${path}/past`, { as: ada, body })).status;
    for (const conversations of [[], [-1], [0.5], ['0'], [77], 'all'])
      expect(await put({ ...choice, conversations })).toBe(400);
    expect(await put({ ...choice, more: 1 })).toBe(400);
    expect(await put({ ...choice, conversations: Array(10_001).fill(0) })).toBe(400);
    expect(await put({ ...choice, conversations: Array(200_000).fill(0) })).toBe(413);
    const bob = await app.signUp('Bob');
    await call(bob, 'POST', '/api/agents', { name: 'His', prompt: 'Mine.' });
    expect(await put({ ...choice, agentId: 'his' })).toBe(404);
    expect((await app.request('POST', `${path}/undo`, { as: ada })).status).toBe(409);
    expect(await put(choice)).toBe(200);
  });

  it('are for exports of other programs', async () => {
    const response = await app.app.request('http://localhost/api/export', { headers: { cookie: ada.cookie } });
    const { body } = await upload(new Uint8Array(await response.arrayBuffer()));
    const path = `/api/imports/${body.import.id}`;
    for (const [method, end, json] of CALLS)
      expect((await app.request(method, path + end, { as: ada, body: json })).status).toBe(404);
  });

  it('undo twice at once as once, and again after an interruption', async () => {
    const before = await rowsOf(ada);
    const { path } = await preview(chatGptExport(makeTalks(40, 10)));
    await run(path);
    const both = await Promise.all([1, 2].map(() => app.request('POST', `${path}/undo`, { as: ada })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    await undo(path);
    expect(await rowsOf(ada)).toEqual(before);
    expect((await app.request('POST', `${path}/start`, { as: ada })).body.import.state).toBe('undone');
  });

  it('end with a sentence when the chosen agent was deleted meanwhile', async () => {
    await call(ada, 'POST', '/api/agents', { name: 'Notes', prompt: 'You keep notes.' });
    const { path } = await preview(chatGptExport([chosen()]));
    await call(ada, 'PUT', `${path}/past`, { ...choice, agentId: 'notes' });
    await call(ada, 'DELETE', '/api/agents/notes');
    await call(ada, 'POST', `${path}/start`);
    expect(await ended(ada)).toMatchObject({ state: 'failed', error: 'The agent that you chose was not found.' });
  });
  const chosen = () => madeTalk(['user', 'Hello'], ['assistant', 'Hi']);
});
