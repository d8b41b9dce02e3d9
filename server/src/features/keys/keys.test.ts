import { KEY_LIMITS } from '@atelier/contract/keys';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, ORIGIN, type TestUser, testApp } from '../../testing/harness.ts';
import { profiles, user } from '../accounts/accounts.table.ts';
import { apiKeys } from './keys.table.ts';

let ada: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  ada = await app.signUpPro();
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Nora', prompt: 'You keep notes.' } });
});

const create = (body: unknown = { name: 'Cron job' }, as = ada) => app.request('POST', '/api/keys', { as, body });
const secretOf = async (body?: unknown) => String((await create(body)).body.key.secret);
const models = (secret: string) => app.request('GET', '/v1/models', { headers: { authorization: `Bearer ${secret}` } });
const list = async () => (await app.request('GET', '/api/keys', { as: ada })).body.keys;

it('shows a key’s secret once, and stores its hash', async () => {
  const { status, body } = await create();
  expect(status).toBe(201);
  expect(body.key).toMatchObject({ name: 'Cron job', scopes: ['read', 'talk'], agentIds: null, lastUsedAt: null });
  expect(body.key.secret).toMatch(/^atl_[\w-]{43}$/u);
  const { secret, ...shown } = body.key;
  expect(secret.endsWith(shown.hint)).toBe(true);
  expect(await list()).toEqual([shown]);
  const rows = await app.deps.db.select().from(apiKeys);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

it('notes when a key was last used, at most once a minute', async () => {
  const secret = await secretOf();
  expect((await models(secret)).status).toBe(200);
  const used = async () => (await list())[0].lastUsedAt;
  await eventually(async () => expect(Date.parse(await used())).toBeGreaterThan(0));
  const lastUsedAt = await used();
  await models(secret);
  expect((await list())[0].lastUsedAt).toBe(lastUsedAt);
  await app.deps.db.update(apiKeys).set({ lastUsedAt: new Date(Date.parse(lastUsedAt) - 61_000) });
  await models(secret);
  await eventually(async () => expect(Date.parse(await used())).toBeGreaterThanOrEqual(Date.parse(lastUsedAt)));
});

it('refuses a revoked key at once; revoking twice is a 404', async () => {
  const { id, secret } = (await create()).body.key;
  expect((await models(secret)).status).toBe(200);
  expect((await app.request('DELETE', `/api/keys/${id}`, { as: ada })).status).toBe(204);
  expect((await models(secret)).status).toBe(401);
  expect((await app.request('DELETE', `/api/keys/${id}`, { as: ada })).status).toBe(404);
  expect(await list()).toEqual([]);
});

it('refuses the keys of a disabled account, saying so, and takes them again when it is enabled', async () => {
  const secret = await secretOf();
  const disable = (banned: boolean) => app.deps.db.update(user).set({ banned }).where(eq(user.id, ada.uid));
  await disable(true);
  const refused = await models(secret);
  expect([refused.status, refused.body.error.message]).toEqual([401, expect.stringMatching(/disabled/u)]);
  await disable(false);
  expect((await models(secret)).status).toBe(200);
});

it('refuses the keys of an account that is no longer Pro', async () => {
  const secret = await secretOf();
  await app.deps.db.update(profiles).set({ subscriptionStatus: 'free' }).where(eq(profiles.userId, ada.uid));
  expect((await models(secret)).status).toBe(403);
});

it('does not make, list or revoke keys for a key, and a key beats the cookie beside it', async () => {
  const { id, secret } = (await create()).body.key;
  const headers = { authorization: `Bearer ${secret}` };
  for (const [method, path] of [
    ['GET', '/api/keys'],
    ['POST', '/api/keys'],
    ['DELETE', `/api/keys/${id}`],
    ['GET', '/api/me'],
  ] as const) {
    const body = method === 'POST' ? { name: 'More' } : undefined;
    const answer = await app.request(method, path, { as: ada, headers, body });
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'forbidden']);
  }
});

it('needs no Origin with a key, and leaves the bearer tokens of others alone', async () => {
  const secret = await secretOf();
  const response = await app.app.request(`${ORIGIN}/v1/models`, { headers: { authorization: `bearer ${secret}` } });
  expect(response.status).toBe(200);
  const proxied = await app.request('GET', '/api/me', { as: ada, headers: { authorization: 'Bearer of-a-proxy' } });
  expect(proxied.status).toBe(200);
});

it('limits each key in its rate, and one key takes nothing from another', async () => {
  const slow = await testApp({ env: { ACCOUNT_BOUNDS: '1' }, database: app.deps.database });
  try {
    const [one, two] = [await secretOf(), await secretOf()];
    const ask = (secret: string) =>
      slow.request('GET', '/v1/models', { headers: { authorization: `Bearer ${secret}` } });
    let last = await ask(one);
    for (let i = 0; i < 500 && last.status === 200; i += 1) last = await ask(one);
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(two)).status).toBe(200);
  } finally {
    await slow.close();
  }
});

it('reaches chosen agents only, and none once these are deleted', async () => {
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Otto', prompt: 'You count.' } });
  const secret = await secretOf({ name: 'Nora only', agentIds: ['nora'], scopes: ['read'] });
  const idsOf = async () => (await models(secret)).body.data.map(({ id }: { id: string }) => id);
  expect(await idsOf()).toEqual(['nora']);
  await app.request('DELETE', '/api/agents/nora', { as: ada });
  expect(await idsOf()).toEqual([]);
  expect((await list())[0]).toMatchObject({ agentIds: [], scopes: ['read'] });
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Nora', prompt: 'Another.' } });
  expect(await idsOf()).toEqual([]);
});

it.each([
  ['no name', { name: ' ' }, 400, 'name'],
  ['a long name', { name: 'x'.repeat(KEY_LIMITS.name + 1) }, 400, 'name'],
  ['an unknown permission', { name: 'k', scopes: ['admin'] }, 400, 'scopes.0'],
  ['no permission', { name: 'k', scopes: [] }, 400, 'scopes'],
  ['no agent', { name: 'k', agentIds: [] }, 400, 'agentIds'],
  ['an unknown field', { name: 'k', uid: 'x' }, 400, undefined],
  ['an agent that does not exist', { name: 'k', agentIds: ['nobody'] }, 404, undefined],
])('refuses %s', async (_what, body, status, field) => {
  const answer = await create(body);
  expect([answer.status, answer.body.error.field]).toEqual([status, field]);
});

it('belongs to its person: others neither see nor revoke it, nor make one for an agent that isn’t theirs', async () => {
  const { id } = (await create()).body.key;
  const eve = await app.signUpPro('Eve');
  expect((await app.request('GET', '/api/keys', { as: eve })).body.keys).toEqual([]);
  expect((await app.request('DELETE', `/api/keys/${id}`, { as: eve })).status).toBe(404);
  expect((await create({ name: 'k', agentIds: ['nora'] }, eve)).status).toBe(404);
  expect((await app.request('DELETE', '/api/keys/nonsense', { as: ada })).status).toBe(404);
});

it('holds at most its number of keys, however many are made at once', async () => {
  const answers = await Promise.all(Array.from({ length: KEY_LIMITS.keys + 5 }, () => create()));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(KEY_LIMITS.keys);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
});
