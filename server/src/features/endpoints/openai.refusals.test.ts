import { eq } from 'drizzle-orm';
import OpenAI from 'openai';
import { beforeEach, expect, it } from 'vitest';
import { proWithKey, startForPrograms } from '../../testing/programs.ts';
import { profiles, user } from '../accounts/accounts.table.ts';

let who: Awaited<ReturnType<typeof proWithKey>>;

const at = await startForPrograms();
beforeEach(async () => {
  who = await proWithKey(at.app);
});

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${at.url}/v1`, maxRetries: 0 });
const say = (apiKey: string, model = 'nora', more: object = {}) =>
  clientOf(apiKey).chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello?' }], ...more });
const newKey = async (body: object) => {
  const made = await at.app.request('POST', '/api/keys', { as: who.user, body: { name: 'Other', ...body } });
  return String(made.body.key.secret);
};
const shape = { type: expect.any(String), param: null, message: expect.any(String) };

it.each([
  ['a key that nobody has', async () => say('atl_nonsense'), OpenAI.AuthenticationError, 'invalid_api_key'],
  ['no key of ours', async () => say('sk-something'), OpenAI.AuthenticationError, 'invalid_api_key'],
  [
    'a revoked key',
    async () => {
      await at.app.request('DELETE', `/api/keys/${who.keyId}`, { as: who.user });
      return say(who.apiKey);
    },
    OpenAI.AuthenticationError,
    'invalid_api_key',
  ],
  [
    'the key of a disabled account',
    async () => {
      await at.app.deps.db.update(user).set({ banned: true }).where(eq(user.id, who.user.uid));
      return say(who.apiKey);
    },
    OpenAI.AuthenticationError,
    'invalid_api_key',
  ],
  [
    'the key of an account that is no longer Pro',
    async () => {
      await at.app.deps.db
        .update(profiles)
        .set({ subscriptionStatus: 'free' })
        .where(eq(profiles.userId, who.user.uid));
      return say(who.apiKey);
    },
    OpenAI.PermissionDeniedError,
    'pro_required',
  ],
  [
    'a key that may only read',
    async () => say(await newKey({ scopes: ['read'] })),
    OpenAI.PermissionDeniedError,
    'insufficient_permissions',
  ],
  [
    'the list of models for a key that may only talk',
    async () => clientOf(await newKey({ scopes: ['talk'] })).models.list(),
    OpenAI.PermissionDeniedError,
    'insufficient_permissions',
  ],
])('refuses %s in OpenAI’s shape', async (_what, call, error, code) => {
  const refusal: unknown = await call().catch((thrown: unknown) => thrown);
  expect(refusal).toBeInstanceOf(error);
  expect(refusal).toMatchObject({ code, error: { code, ...shape } });
  expect(at.provider.requests).toEqual([]);
});

it('does not know another’s agent, nor one that the key does not reach', async () => {
  const eve = await proWithKey(at.app, { name: 'Eve’s own' });
  await at.app.request('POST', '/api/agents', { as: who.user, body: { name: 'Otto', prompt: 'You count.' } });
  const missing = { status: 404, code: 'model_not_found', param: 'model' };
  await expect(say(eve.apiKey)).rejects.toMatchObject(missing);
  await expect(say(await newKey({ agentIds: ['otto'] }))).rejects.toMatchObject(missing);
  await expect(say(who.apiKey, 'nobody')).rejects.toMatchObject(missing);
});

it('does not go on in another’s session, nor from another’s response', async () => {
  const mine = await say(who.apiKey);
  const eve = await proWithKey(at.app);
  const { session_id } = (mine as { atelier?: { session_id: string } }).atelier ?? expect.fail('no receipt');
  const headers = { 'x-session-id': session_id };
  const messages = [{ role: 'user' as const, content: 'What did I say?' }];
  const hers = await clientOf(eve.apiKey).chat.completions.create({ model: 'nora', messages }, { headers });
  expect(hers).not.toMatchObject({ atelier: { session_id } });
  const previous_response_id = mine.id.replace('chatcmpl-', 'resp_');
  const goOn = clientOf(eve.apiKey).responses.create({ model: 'nora', input: 'And?', previous_response_id });
  await expect(goOn).rejects.toMatchObject({ status: 404, param: 'previous_response_id' });
});

it.each([
  ['a conversation', { conversation: 'conv_bob' }, 'conversation', /“user”.*X-Session-Id.*“previous_response_id”/u],
  ['a conversation by its id', { conversation: { id: 'conv_bob' } }, 'conversation', /“user”/u],
  ['to go on without being stored', { store: false, previous_response_id: 'resp_1' }, 'store', /not stored/u],
])('refuses a response with %s', async (_what, more, param, message) => {
  const asked = clientOf(who.apiKey).responses.create({ model: 'nora', input: 'And?', ...more });
  await expect(asked).rejects.toMatchObject({ status: 400, param, message: expect.stringMatching(message) });
  expect(at.provider.requests).toEqual([]);
});

it('gives no receipts to a key that may only talk', async () => {
  await say(who.apiKey, 'nora', { messages: [{ role: 'user', content: 'My kiln stands in Faro.' }] });
  const talk = await newKey({ scopes: ['talk'] });
  const answer = await say(talk, 'nora', { messages: [{ role: 'user', content: 'Where is my kiln?' }] });
  expect(answer).toMatchObject({ atelier: { memory_used: [], tool_calls: [] } });
});

it.each([
  ['no message of the user', { messages: [{ role: 'system', content: 'Be kind.' }] }, 'messages'],
  [
    'a picture',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
    'messages',
  ],
  ['an empty message', { messages: [{ role: 'user', content: ' ' }] }, 'messages'],
  ['a message that is too long', { messages: [{ role: 'user', content: 'x'.repeat(32_001) }] }, 'messages'],
  [
    'system messages that are too long',
    {
      messages: [
        { role: 'system', content: 'x'.repeat(20_001) },
        { role: 'user', content: 'x' },
      ],
    },
    'messages',
  ],
  ['several answers', { n: 2 }, 'n'],
  ['tools of the program', { tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools'],
  ['a response format', { response_format: { type: 'json_object' } }, 'response_format.type'],
  ['a session’s name that is too long', { user: 'x'.repeat(201) }, 'user'],
])('refuses %s with 400 and the parameter', async (_what, body, param) => {
  await expect(say(who.apiKey, 'nora', body)).rejects.toMatchObject({
    status: 400,
    param,
    code: 'invalid_value',
    type: 'invalid_request_error',
  });
  // An earlier test's session may still get its title, which is not streamed.
  expect(at.provider.requests.filter(({ isAnswer }) => isAnswer)).toEqual([]);
});

it('refuses a body that is too large, what is no JSON, and an unknown address in OpenAI’s shape', async () => {
  const send = async (path: string, body: string) => {
    const headers = { authorization: `Bearer ${who.apiKey}` };
    const answer = await at.app.request('POST', `/v1${path}`, { headers, body });
    return [answer.status, Object.keys(answer.body.error)];
  };
  const fields = ['message', 'type', 'param', 'code'];
  expect(await send('/chat/completions', 'x'.repeat(2 * 1024 * 1024 + 1))).toEqual([413, fields]);
  expect(await send('/chat/completions', '{')).toEqual([400, fields]);
  expect(await send('/embeddings', '{}')).toEqual([404, fields]);
  expect(await send('/chat/completions', '{"model":"nora","messages":[{"role":"user","content":"\\u0000"}]}')).toEqual([
    400,
    fields,
  ]);
});

const slow = await startForPrograms({ ACCOUNT_BOUNDS: '1' });
it('says how long to wait when a key is too fast', async () => {
  const { apiKey } = await proWithKey(slow.app);
  const client = new OpenAI({ apiKey, baseURL: `${slow.url}/v1`, maxRetries: 0 });
  let refusal: unknown;
  for (let i = 0; i < 500 && refusal === undefined; i += 1) {
    await client.models.list().catch((error: unknown) => {
      refusal = error;
    });
  }
  expect(refusal).toBeInstanceOf(OpenAI.RateLimitError);
  expect(refusal).toMatchObject({ code: 'rate_limit_exceeded' });
});
