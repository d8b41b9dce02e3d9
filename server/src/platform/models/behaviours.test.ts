import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { type FakeOpenAI, startFakeWire } from '../../testing/fake-openai.ts';
import { spoken } from '../../testing/openai-wire.ts';
import { CHAT, HABITS, refused } from '../../testing/provider-habits.ts';
import { createModels } from './create-models.ts';
import type { GenerateInput, ModelTool } from './models.ts';

let wire: FakeOpenAI;
beforeAll(async () => {
  wire = await startFakeWire();
});
beforeEach(() => {
  wire.reset();
  wire.on('/v1/models', { body: { data: [{ id: 'm' }] } });
});
afterAll(() => wire.close());

const CLOCK: ModelTool = {
  name: 'clock',
  description: 'Tells the time.',
  inputSchema: { type: 'object', properties: {} },
  execute: async () => '12:00',
};

/** What a person would get of an answer. */
async function ask(tools: ModelTool[], patienceMs = 20_000) {
  const models = createModels(
    readConfig({ OPENAI_BASE_URL: `${wire.origin}/v1`, MODEL_TIMEOUT_MS: String(patienceMs) }),
  );
  await models.refresh();
  const waits: string[] = [];
  const input: GenerateInput = {
    model: 'm',
    instructions: 'You help.',
    messages: [{ role: 'user', text: 'Hello' }],
    temperature: 0.3,
    signal: new AbortController().signal,
    context: { agentName: 'A', prompt: 'You help.', remembers: true, memories: [] },
    tools,
    onWait: (why) => waits.push(why),
  };
  const got = { text: '', thoughts: '', cut: undefined as string | undefined, error: '', waits };
  try {
    for await (const event of models.stream(input)) {
      if (event.type === 'delta') got.text += event.text;
      if (event.type === 'thought') got.thoughts += event.text;
      if (event.type === 'end') got.cut = event.cut;
    }
  } catch (error) {
    got.error = error instanceof Error ? error.message : String(error);
  }
  return got;
}

describe.each([
  ['without tools', []],
  ['with tools', [CLOCK]],
])('%s', (_name, tools) => {
  it.each(HABITS)('%s', async (_name, gives, ...says) => {
    wire.on(CHAT, ...says);
    // One that stays busy is waited for as long as patience lasts.
    const isBusyForEver = says.every(({ status }) => status === 503);
    expect(await ask(tools, isBusyForEver ? 5_000 : undefined)).toMatchObject(gives);
  });
});

it('a model known to refuse a temperature is not sent one', async () => {
  wire.on('/v1/models', { body: { data: [{ id: 'm', supported_parameters: ['tools'] }] } });
  wire.on(CHAT, { body: spoken('Hi.') });
  expect((await ask([])).text).toBe('Hi.');
  expect((await ask([CLOCK])).text).toBe('Hi.');
  expect(wire.to(CHAT).map(({ body }) => 'temperature' in body)).toEqual([false, false]);
});

it('a temperature that was refused is not sent again', async () => {
  wire.on(CHAT, ({ body }) =>
    'temperature' in body ? refused(400, { error: { message: 'No temperature, please.' } }) : { body: spoken('Hi.') },
  );
  const models = createModels(readConfig({ OPENAI_BASE_URL: `${wire.origin}/v1` }));
  await models.refresh();
  const input = {
    model: 'm',
    instructions: 'x',
    messages: [{ role: 'user' as const, text: 'y' }],
    temperature: 1,
    signal: new AbortController().signal,
  };
  const context = { agentName: 'A', prompt: 'x', remembers: true, memories: [] };
  for (let i = 0; i < 2; i += 1) for await (const _ of models.stream({ ...input, context })) expect(_).toBeDefined();
  expect(wire.to(CHAT).map(({ body }) => 'temperature' in body)).toEqual([true, false, false]);
  expect(models.resolve('m').temperature).toBe(false);
});
