import { beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { createModels } from '../platform/models/create-models.ts';
import type { GenerateInput, ModelEvent, Models, ModelTool } from '../platform/models/models.ts';
import { startFakeWire } from './fake-openai.ts';
import { closing } from './lifetimes.ts';
import { stream, type WireReply } from './openai-wire.ts';

/** What a person gets of an answer. */
interface Gives {
  text: string;
  thoughts: string;
  cut: string | undefined;
  error: string;
  waits: string[];
  /** How often the provider was asked. */
  asked: number;
  usage: object;
}

/** A habit of a provider, what a person gets, and what the provider says; its last answer comes again and again. */
export type Habit = [name: string, gives: Partial<Gives>, ...says: WireReply[]];

export const CHAT = '/v1/chat/completions';
export const HI = { text: 'Hi.', error: '' };
export const reported = (said: string) => `The provider reported an error: ${said}`;
/** The words stay, and the provider's reason is shown. */
export const breaks = (name: string, said: string, ...events: (object | string)[]): Habit => [
  name,
  { text: 'Hi', error: reported(said) },
  stream(...events),
];

export const CLOCK: ModelTool = {
  name: 'clock',
  description: 'Tells the time.',
  inputSchema: { type: 'object', properties: {} },
  execute: async () => '12:00',
};

/** The whole of a streamed answer, and the sentence of its failure. */
export async function gather(events: AsyncIterable<ModelEvent>) {
  const got = { text: '', thoughts: '', cut: undefined as string | undefined, error: '', usage: {} as object };
  try {
    for await (const event of events) {
      if (event.type === 'delta') got.text += event.text;
      if (event.type === 'thought') got.thoughts += event.text;
      if (event.type === 'rethought') {
        const at = got.text.length - event.chars;
        Object.assign(got, { text: got.text.slice(0, at), thoughts: got.thoughts + got.text.slice(at) });
      }
      if (event.type === 'end') Object.assign(got, { cut: event.cut, usage: event.usage });
    }
  } catch (error) {
    got.error = error instanceof Error ? error.message : String(error);
  }
  return got;
}

/** A provider that does what a test tells it to. */
export async function habitualProvider() {
  const wire = await closing(startFakeWire());
  beforeEach(() => {
    wire.reset();
    wire.on('/v1/models', { body: { data: [{ id: 'm' }] } });
  });

  async function models(patienceMs = 20_000) {
    const env = { OPENAI_BASE_URL: `${wire.origin}/v1`, MODEL_TIMEOUT_MS: String(patienceMs) };
    const made = createModels(readConfig(env));
    await made.refresh();
    return made;
  }

  /** What a person would get of an answer; by models that have answered before, if they are given. */
  async function ask(tools: ModelTool[], by?: Models, more: Partial<GenerateInput> = {}) {
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
      ...more,
    };
    const got = await gather((by ?? (await models())).stream(input));
    return { ...got, waits, asked: wire.to(CHAT).length };
  }

  /** Has each habit tried. */
  const tryAll = (habits: readonly Habit[]) =>
    describe.each([
      ['without tools', []],
      ['with tools', [CLOCK]],
    ])('%s', (_name, tools) => {
      it.each([...habits])('%s', async (_what, gives, ...says) => {
        wire.on(CHAT, ...says);
        // One that stays busy is waited for as long as patience lasts.
        const isBusyForEver = says.every(({ status }) => status === 503);
        expect(await ask(tools, await models(isBusyForEver ? 5_000 : undefined))).toMatchObject(gives);
      });
    });
  return { wire, models, ask, tryAll };
}
