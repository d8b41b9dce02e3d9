import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import { type FakeOpenAI, startFakeWire } from '../../../testing/fake-openai.ts';
import { closing, temporaryFolder } from '../../../testing/lifetimes.ts';
import { spoken } from '../../../testing/openai-wire.ts';
import { gather } from '../../../testing/provider-habits.ts';
import type { Log } from '../../log.ts';
import { createModels } from '../create-models.ts';

const { folder } = temporaryFolder('models');
const [one, two] = await Promise.all([closing(startFakeWire()), closing(startFakeWire())]);
beforeEach(() => {
  one.reset();
  two.reset();
  logged.length = 0;
});

const logged: { event: string; fields: unknown }[] = [];
const log: Log = {
  info: (event, fields) => void logged.push({ event, fields }),
  error: (event, _, fields) => void logged.push({ event, fields }),
};

async function fromFile(
  file: object | string,
  more: { env?: Record<string, string>; variables?: Record<string, string> } = {},
) {
  const path = join(folder, 'models.json');
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file));
  const models = createModels(readConfig({ MODELS_FILE: path, ...more.env }), { variables: more.variables ?? {}, log });
  await models.refresh();
  return models;
}
const has = (wire: FakeOpenAI, ...ids: string[]) =>
  wire.on('/v1/models', { body: { data: ids.map((id) => ({ id })) } });
const ids = (models: Awaited<ReturnType<typeof fromFile>>) => models.list().map(({ id }) => id);

/** Sends a question and returns the answer, or why there is none. */
async function ask(models: Awaited<ReturnType<typeof fromFile>>, model: string) {
  const context = { agentName: 'A', prompt: '', remembers: true, memories: [] };
  const messages = [{ role: 'user' as const, text: 'Hello' }];
  const { signal } = new AbortController();
  const input = { model, instructions: 'Help.', messages, signal, context };
  const { text, error } = await gather(models.stream(input));
  return text + error;
}

it('several providers at once, secrets from the environment; the same id twice is told apart', async () => {
  has(one, 'llama', 'shared');
  has(two, 'qwen', 'shared');
  one.on('/v1/chat/completions', { body: spoken('One.') });
  two.on('/v1/chat/completions', { body: spoken('Two.') });
  const providers = {
    first: { baseURL: `${one.origin}/v1`, apiKey: '${FIRST_KEY}' },
    second: { baseURL: `${two.origin}/v1`, headers: { 'x-team': 'a-${TEAM}' } },
  };
  const models = await fromFile(
    { providers, standIn: 'qwen' },
    { variables: { FIRST_KEY: 'sk-secret-one', TEAM: 'blue' } },
  );
  expect(ids(models)).toEqual(['llama', 'shared', 'qwen', 'second/shared']);
  expect(
    await Promise.all(
      ['llama', 'qwen', 'shared', 'second/shared', 'first/llama', 'gpt-4'].map((id) => ask(models, id)),
    ),
  ).toEqual(['One.', 'Two.', 'One.', 'Two.', 'One.', 'Two.']);
  expect(one.to('/v1/chat/completions')[0]?.headers.authorization).toBe('Bearer sk-secret-one');
  expect(two.to('/v1/chat/completions')[0]?.headers).toMatchObject({ 'x-team': 'a-blue' });
  expect(two.to('/v1/chat/completions').map(({ body }) => body.model)).toContain('shared');
  expect(models.standIn()).toBe('qwen');
});

it('a list of models offers only these; an object says more of some, over what the provider says', async () => {
  one.on('/v1/models', { body: { data: [{ id: 'a', context_length: 9_000 }, { id: 'b' }] } });
  two.on('/v1/models', {
    body: {
      data: [
        { id: 'c', context_length: 9_000 },
        { id: 'd', context_length: 9_000 },
      ],
    },
  });
  const models = await fromFile({
    providers: {
      first: { baseURL: `${one.origin}/v1`, models: ['a'] },
      second: { baseURL: `${two.origin}/v1/`, models: { c: { contextTokens: 50_000, tools: false } } },
    },
  });
  expect(models.list()).toMatchObject([
    { id: 'a', contextTokens: 9_000, tools: true },
    { id: 'c', contextTokens: 50_000, tools: false },
    { id: 'd', contextTokens: 9_000 },
  ]);
});

it('a bad entry is off with its reason in the log, and the others work', async () => {
  has(one, 'llama');
  const models = await fromFile({
    providers: {
      good: { baseURL: `${one.origin}/v1` },
      'no address': {},
      nowhere: { type: 'openai-compatible' },
      typo: { baseURL: `${one.origin}/v1`, apikey: 'x' },
      keyless: { type: 'anthropic', apiKey: '${NOT_SET}' },
      strange: 7,
      resting: { type: 'google', apiKey: '${NOT_SET_EITHER}', disabled: true },
    },
  });
  expect(ids(models)).toEqual(['llama']);
  expect(logged).toEqual([
    {
      event: 'models.provider_off',
      fields: { provider: 'no address', reason: expect.stringContaining('letters, digits') },
    },
    {
      event: 'models.provider_off',
      fields: { provider: 'nowhere', reason: expect.stringContaining('needs its address') },
    },
    { event: 'models.provider_off', fields: { provider: 'typo', reason: expect.stringContaining('apikey') } },
    { event: 'models.provider_off', fields: { provider: 'keyless', reason: 'not set in the environment: NOT_SET' } },
    { event: 'models.provider_off', fields: { provider: 'strange', reason: expect.any(String) } },
  ]);
});

it.each([
  ['is not JSON', '{ providers', 'it is not valid JSON'],
  ['has no providers', '{}', expect.stringContaining('providers')],
])('a file that %s: the built-in model answers, and the log says why', async (_name, text, reason) => {
  const models = await fromFile(text);
  expect(models.kind).toBe('offline');
  expect(logged).toEqual([{ event: 'models.file_unusable', fields: { file: expect.any(String), reason } }]);
});

it('a provider that is down leaves the others; the variables of one come first', async () => {
  has(two, 'qwen');
  one.on('/v1/models', { status: 500, body: {} });
  const models = await fromFile(
    { providers: { second: { baseURL: `${two.origin}/v1` } } },
    { env: { OPENAI_BASE_URL: `${one.origin}/v1`, OPENAI_MODELS: 'mine' } },
  );
  expect(ids(models)).toEqual(['mine', 'qwen']);
  expect(logged).toEqual([
    {
      event: 'models.list_failed',
      fields: { provider: new URL(one.origin).host, reason: 'The provider failed (500): {}' },
    },
  ]);
  expect(models.label).toBe(`${new URL(one.origin).host}, ${new URL(two.origin).host}`);
});

it('prices come from the file, or from a provider that tells them in dollars', async () => {
  const listed = [
    { id: 'qwen', pricing: { prompt: '0.0000025', completion: '0.00001' } },
    { id: 'free', pricing: { prompt: '0', completion: '0' } },
    { id: 'auto', pricing: { prompt: '-1', completion: '-1' } },
    { id: 'odd', pricing: { prompt: 'much', completion: null } },
    { id: 'silent' },
  ];
  one.on('/v1/models', { body: { data: listed } });
  const providers = { one: { baseURL: `${one.origin}/v1` } };
  const prices = { silent: { input: 1, output: 2 }, qwen: { input: 9, output: 9 }, bad: { input: -1, output: 'x' } };
  const dollars = await fromFile({ providers, prices });
  expect(dollars.currency).toBe('USD');
  const known = ['qwen', 'free', 'auto', 'odd', 'silent', 'bad', 'unheard-of', '__proto__', 'offline'];
  expect(known.map((id) => dollars.priceOf(id))).toEqual([
    { input: 9, output: 9 },
    { input: 0, output: 0 },
    null,
    null,
    { input: 1, output: 2 },
    null,
    null,
    null,
    { input: 0, output: 0 },
  ]);
  expect(logged).toContainEqual(expect.objectContaining({ event: 'models.price_off' }));
  expect((await fromFile({ providers })).priceOf('qwen')).toEqual({ input: 2.5, output: 10 });
  const euros = await fromFile({ providers, currency: 'EUR', prices: { silent: { input: 1, output: 2 } } });
  expect([euros.currency, euros.priceOf('qwen'), euros.priceOf('silent')]).toEqual([
    'EUR',
    null,
    { input: 1, output: 2 },
  ]);
});
