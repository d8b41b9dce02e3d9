import OpenAI from 'openai';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { proWithKey, startForPrograms } from '../../testing/programs.ts';

let who: Awaited<ReturnType<typeof proWithKey>>;
let client: OpenAI;
const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${at.url}/v1`, maxRetries: 0 });

const at = await startForPrograms();
beforeEach(async () => {
  who = await proWithKey(at.app, { tools: ['calculator'] });
  client = clientOf(who.apiKey);
});

const say = (content: string, more: object = {}) =>
  client.chat.completions.create({ model: 'nora', messages: [{ role: 'user', content }], ...more });
const stream = (content: string) =>
  client.chat.completions.create({ model: 'nora', messages: [{ role: 'user', content }], stream: true });
/** The last request to the provider for an answer, not for a title. */
const prompts = () => at.provider.requests.filter(({ isAnswer }) => isAnswer).map(({ body }) => body.messages ?? []);
const wordsOf = (messages: { content: unknown }[] | undefined) => JSON.stringify(messages);
const sessions = async () => (await at.app.request('GET', '/api/sessions', { as: who.user })).body.sessions;

it('lists one’s agents as models', async () => {
  const models = await client.models.list();
  expect(models.data).toMatchObject([{ id: 'nora', object: 'model', owned_by: who.user.uid }]);
});

it('describes one of them, and no other', async () => {
  await expect(client.models.retrieve('nora')).resolves.toMatchObject({ id: 'nora', object: 'model', name: 'Nora' });
  const refused = { status: 404, code: 'model_not_found' };
  await expect(client.models.retrieve('nobody')).rejects.toMatchObject(refused);
  const stranger = await proWithKey(at.app, { name: 'Other' });
  await expect(clientOf(stranger.apiKey).models.retrieve('nora')).rejects.toMatchObject(refused);
  const { agent } = (await at.app.request('POST', '/api/agents', { as: who.user, body: { name: 'Kim', prompt: 'x' } }))
    .body;
  const body = { name: 'Kim alone', agentIds: [agent.id] };
  const { secret } = (await at.app.request('POST', '/api/keys', { as: who.user, body })).body.key;
  await expect(clientOf(secret).models.retrieve('kim')).resolves.toMatchObject({ id: 'kim' });
  await expect(clientOf(secret).models.retrieve('nora')).rejects.toMatchObject(refused);
  await expect(clientOf('atl_wrong').models.retrieve('nora')).rejects.toMatchObject({ status: 401 });
});

it.each([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
] as const)('says that an answer was cut: %s', async (finishReason, reason) => {
  at.provider.behave({ finishReason });
  expect((await say('Tell me all.')).choices[0]?.finish_reason).toBe(finishReason);
  const reasons: unknown[] = [];
  for await (const chunk of await stream('Tell me more.')) reasons.push(chunk.choices[0]?.finish_reason);
  expect(reasons.filter((one) => one !== null)).toEqual([finishReason]);

  const incomplete = { status: 'incomplete', incomplete_details: { reason }, output: [{ status: 'incomplete' }] };
  expect(await client.responses.create({ model: 'nora', input: 'And then?' })).toMatchObject(incomplete);
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of await client.responses.create({ model: 'nora', input: 'And?', stream: true }))
    events.push(event);
  expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: incomplete });
});

it('answers with usage, a finish reason, and what was used', async () => {
  const answer = await say('My kiln stands in Faro.');
  expect(answer).toMatchObject({
    object: 'chat.completion',
    model: 'nora',
    choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'Hello from the fake provider.' } }],
  });
  const { usage } = answer;
  expect(usage?.prompt_tokens).toBeGreaterThan(0);
  expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
});

it('streams word by word, calls a tool of the agent, and its next call recalls', async () => {
  at.provider.behave({
    toolCalls: [{ name: 'calculator', arguments: '{"expression":"6*7"}' }],
    text: 'It is 42, of course.',
  });
  const streamed = await client.chat.completions.create({
    model: 'nora',
    messages: [{ role: 'user', content: 'My kiln stands in Faro. What is 6*7?' }],
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of streamed) chunks.push(chunk);
  const words = chunks.flatMap(({ choices }) => choices[0]?.delta.content ?? []).filter((text) => text !== '');
  expect(words.join('')).toBe('It is 42, of course.');
  expect(chunks.find(({ choices }) => choices[0]?.finish_reason === 'stop')).toMatchObject({
    atelier: { tool_calls: [{ name: 'calculator', state: 'done' }] },
  });
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } });

  at.provider.reset();
  const again = await say('Where does my kiln stand?', { user: 'somewhere else' });
  expect(again).toMatchObject({
    atelier: {
      memory_used: expect.arrayContaining([
        expect.objectContaining({ kind: 'person', text: expect.stringMatching(/Faro/u) }),
      ]),
    },
  });
  expect(wordsOf(prompts()[0])).toMatch(/Faro/u);
});

it('takes the last message of the user from a whole history, and system messages for this answer only', async () => {
  await client.chat.completions.create({
    model: 'nora',
    messages: [
      { role: 'system', content: 'Answer like a pirate.' },
      { role: 'user', content: 'An earlier question.' },
      { role: 'assistant', content: 'An earlier answer.' },
      { role: 'user', content: [{ type: 'text', text: 'The question itself.' }] },
    ],
  });
  const [first] = prompts();
  expect(first?.[0]?.content).toMatch(/^You keep notes\.\n\nAnswer like a pirate\./u);
  expect(wordsOf(first)).toMatch(/The question itself/u);
  expect(wordsOf(first)).not.toMatch(/earlier/u);
  await say('And now?');
  expect(wordsOf(prompts()[1])).not.toMatch(/pirate/u);
});

it('talks in one session for each key, or in the one that `user` or the header names', async () => {
  await say('one');
  await say('two');
  expect(await sessions()).toHaveLength(1);
  await say('three', { user: 'ann' });
  await say('four', { user: 'ann' });
  expect(await sessions()).toHaveLength(2);
  const [named] = await sessions();
  const headers = { 'x-session-id': named.id };
  await client.chat.completions.create({ model: 'nora', messages: [{ role: 'user', content: 'five' }] }, { headers });
  expect(wordsOf(prompts().at(-1))).toMatch(/three.*four.*five/su);
  await clientOf(
    (await at.app.request('POST', '/api/keys', { as: who.user, body: { name: 'b' } })).body.key.secret,
  ).chat.completions.create({ model: 'nora', messages: [{ role: 'user', content: 'six' }] });
  expect(await sessions()).toHaveLength(3);
  await at.app.request('DELETE', `/api/sessions/${named.id}`, { as: who.user });
  await say('seven', { user: 'ann' });
  expect(wordsOf(prompts().at(-1))).not.toMatch(/role":"user","content":"three/u);
  expect(await sessions()).toHaveLength(3);
});

it('answers messages that come at once one after another, in one session', async () => {
  at.provider.behave({ delayMs: 20 });
  const answers = await Promise.all(['one', 'two', 'three', 'four'].map((text) => say(text)));
  expect(answers.map(({ choices }) => choices[0]?.finish_reason)).toEqual(['stop', 'stop', 'stop', 'stop']);
  expect(await sessions()).toHaveLength(1);
});

it('answers the Responses interface, whole and streamed, and goes on from an earlier response', async () => {
  const first = await client.responses.create({ model: 'nora', input: 'I paint with oil.', instructions: 'Be brief.' });
  expect([first.status, first.output_text]).toEqual(['completed', 'Hello from the fake provider.']);
  expect(first.usage?.total_tokens).toBeGreaterThan(0);
  expect(wordsOf(prompts()[0])).toMatch(/Be brief/u);
  await say('Something between.', { user: 'elsewhere' });
  const response = client.responses.stream({
    model: 'nora',
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'And brushes?' }] }],
    previous_response_id: first.id,
  });
  const types: string[] = [];
  for await (const event of response) types.push(event.type);
  const last = await response.finalResponse();
  expect(last).toMatchObject({ status: 'completed', output_text: 'Hello from the fake provider.' });
  expect(types.slice(0, 4)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
  ]);
  expect(types.at(-1)).toBe('response.completed');
  expect(wordsOf(prompts().at(-1))).toMatch(/I paint with oil.*And brushes/su);
});

it('stops the provider’s request when the program leaves, streaming or not', async () => {
  at.provider.behave({ mode: 'silence', after: 1 });
  for await (const _ of await stream('Tell me everything.')) break;
  await eventually(() => expect(at.provider.requests[0]?.closedEarly).toBe(true));
  const gone = new AbortController();
  const whole = client.chat.completions.create(
    { model: 'nora', messages: [{ role: 'user', content: 'Once more.' }] },
    { signal: gone.signal },
  );
  const refused = expect(whole).rejects.toThrow(/abort/iu);
  await eventually(() => expect(at.provider.requests).toHaveLength(2));
  gone.abort();
  await refused;
  await eventually(() => expect(at.provider.requests[1]?.closedEarly).toBe(true));
  const [{ id }] = await sessions();
  await eventually(async () => {
    const { tasks } = (await at.app.request('GET', `/api/sessions/${id}/tasks`, { as: who.user })).body;
    expect(tasks.map(({ status }: { status: string }) => status)).toEqual(['cancelled', 'cancelled']);
  });
});

it('ends an answer when its key is revoked meanwhile', async () => {
  at.provider.behave({ mode: 'silence', after: 1 });
  const read = async () => {
    for await (const _ of await stream('Tell me everything.')) {
      await at.app.request('DELETE', `/api/keys/${who.keyId}`, { as: who.user });
    }
  };
  await expect(read()).rejects.toThrow(/API key is needed/u);
  await eventually(() => expect(at.provider.requests[0]?.closedEarly).toBe(true));
});

it('answers with a status when the provider fails at once, and with an event when it fails later', async () => {
  at.provider.behave({ mode: 'error', status: 400, errorMessage: 'No such model.' });
  await expect(say('Hello?')).rejects.toMatchObject({ status: 502, code: 'provider_failed' });
  await expect(stream('Hello?')).rejects.toMatchObject({ status: 502, type: 'server_error' });
  await expect(client.responses.create({ model: 'nora', input: 'Hello?' })).rejects.toMatchObject({ status: 502 });
  // Also when it was busy before.
  const busy = { status: 429, headers: { 'retry-after': '1' }, body: {} };
  at.provider.on('/v1/chat/completions', busy, { status: 400, body: { error: { message: 'No such model.' } } });
  await expect(stream('Hello?')).rejects.toMatchObject({ status: 502, type: 'server_error' });
  at.provider.reset();
  at.provider.behave({ mode: 'stream-error', after: 2 });
  const broken = async () => {
    for await (const _ of await stream('Hello?'));
  };
  await expect(broken()).rejects.toThrow(/Failed to run/u);
  at.provider.behave({ mode: 'ok', finishReason: 'abort' });
  await expect(broken()).rejects.toThrow(/broke off the answer \(abort\)/u);
  const events: string[] = [];
  for await (const event of client.responses.stream({ model: 'nora', input: 'Hello?' })) events.push(event.type);
  expect(events.at(-1)).toBe('response.failed');
});

it('keeps the persons of a program apart by user or safety_identifier, and goes on from a response where it was', async () => {
  const ask = (input: string, more: object) =>
    client.responses.create({ model: 'nora', input, conversation: null, ...more });
  const prompt = () => JSON.stringify(prompts().at(-1)?.slice(1));
  const alice = await ask('My locker has the code 4711.', { user: 'alice' });
  await ask('What is my code?', { safety_identifier: 'bob' });
  expect(prompt()).not.toContain('4711');
  await ask('And in which row?', { previous_response_id: alice.id });
  expect(prompt()).toContain('4711');
  await ask('And now?', { user: 'alice' });
  expect(prompt()).toContain('And in which row?');
  expect(await sessions()).toHaveLength(2);
});

it('keeps no session for a response that is not to be stored', async () => {
  const once = { model: 'nora', input: 'My locker has the code 4711.', store: false } as const;
  await expect(client.responses.create(once)).resolves.toMatchObject({ store: false, status: 'completed' });
  const ends: unknown[] = [];
  for await (const event of await client.responses.create({ ...once, stream: true }))
    if (event.type === 'response.completed') ends.push(event.response);
  expect(ends).toMatchObject([{ store: false }]);
  at.provider.behave({ mode: 'error', status: 400 });
  await expect(client.responses.create(once)).rejects.toMatchObject({ status: 502 });
  await expect(client.responses.create({ ...once, stream: true })).rejects.toMatchObject({ status: 502 });
  await eventually(async () => expect(await sessions()).toEqual([]));
  await expect(client.responses.create({ ...once, store: true })).rejects.toMatchObject({ status: 502 });
  expect(await sessions()).toHaveLength(1);
});
