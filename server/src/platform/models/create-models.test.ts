import { beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { eventually } from '../../testing/eventually.ts';
import { type FakeBehaviour, startFakeOpenAI } from '../../testing/fake-openai.ts';
import { closing } from '../../testing/lifetimes.ts';
import { CLOCK } from '../../testing/provider-habits.ts';
import { createModels } from './create-models.ts';
import type { GenerateInput, ModelEvent, ModelTool } from './models.ts';
import { ProviderError } from './provider-error.ts';

const KEY = 'sk-test-4f9aQ77bWz0123456789abcdef';

const fake = await closing(startFakeOpenAI());
beforeEach(() => fake.reset());

const models = (env: Record<string, string> = {}) =>
  createModels(readConfig({ OPENAI_BASE_URL: fake.url, OPENAI_API_KEY: KEY, MODEL_TIMEOUT_MS: '20000', ...env }));

/** Answers with tools go through the SDK, others don't: both must behave alike. */
let tools: ModelTool[] = [];

const input = (change: Partial<GenerateInput> = {}): GenerateInput => ({
  model: 'gpt-4',
  instructions: 'You help me plan trips.',
  messages: [
    { role: 'user', text: 'Hello' },
    { role: 'assistant', text: 'Hello, where to?' },
    { role: 'user', text: 'Lisbon' },
  ],
  temperature: 0.3,
  signal: new AbortController().signal,
  context: { agentName: 'Field Notes', prompt: 'You help me plan trips.', remembers: true, memories: [] },
  tools,
  ...change,
});

async function run(stream: AsyncIterable<ModelEvent>) {
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of stream) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const text = events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
  return { events, text, error };
}

/** Only a test of silence waits so little: on a busy machine any answer may take longer. */
const IMPATIENT = { MODEL_TIMEOUT_MS: '400' };

async function failure(behaviour: Partial<FakeBehaviour>, env: Record<string, string> = {}) {
  fake.behave(behaviour);
  const { error, text, events } = await run(models(env).stream(input()));
  expect(error).toBeInstanceOf(ProviderError);
  expect(events.some((event) => event.type === 'end')).toBe(false);
  const message = error instanceof Error ? error.message : '';
  expect(message.length).toBeLessThanOrEqual(300);
  return { message, text };
}

describe.each([
  ['without tools', []],
  ['with tools', [CLOCK]],
])('%s', (_name, offered) => {
  beforeEach(() => {
    tools = offered;
  });

  describe('a provider that works', () => {
    it('streams deltas in order and ends with the usage that it told', async () => {
      fake.behave({ text: 'Lisbon is lovely in May — bring shoes. 🧳', deltas: 7 });
      const { events, text, error } = await run(models().stream(input()));
      expect(error).toBeUndefined();
      expect(text).toBe('Lisbon is lovely in May — bring shoes. 🧳');
      expect(events.filter((event) => event.type === 'delta').length).toBeGreaterThan(3);
      expect(events.at(-1)).toEqual({ type: 'end', usage: { inputTokens: 11, outputTokens: 41, estimated: false } });
    });

    it('is asked with the prompt, the conversation, the model, the temperature and the key', async () => {
      await run(models().stream(input()));
      expect(fake.requests).toHaveLength(1);
      expect(fake.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
      expect(fake.requests[0]?.body).toMatchObject({
        model: 'gpt-4',
        temperature: 0.3,
        stream: true,
        messages: [
          { role: 'system', content: 'You help me plan trips.' },
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Hello, where to?' },
          { role: 'user', content: 'Lisbon' },
        ],
      });
    });

    it('has its usage estimated where it tells none', async () => {
      fake.behave({ usage: false, text: 'x'.repeat(40) });
      const { events } = await run(models().stream(input()));
      expect(events.at(-1)).toEqual({
        type: 'end',
        usage: { inputTokens: offered.length === 0 ? 15 : 37, outputTokens: 10, estimated: true },
      });
    });

    it('is named by its host', () => {
      const made = models();
      expect(made.kind).toBe('openai-compatible');
      expect(made.label).toBe(new URL(fake.url).host);
    });

    it('takes credentials in its address as a header and shows them nowhere', async () => {
      const url = fake.url.replace('http://', 'http://maria:very-secret-pass@');
      const made = createModels(readConfig({ OPENAI_BASE_URL: url }));
      expect(made.label).not.toContain('secret');
      await run(made.stream(input()));
      expect(fake.requests[0]?.headers.authorization).toBe(`Basic ${btoa('maria:very-secret-pass')}`);
    });
  });

  describe('a provider that fails', () => {
    it('never shows a key, not even a piece of it, nor control characters', async () => {
      const errorMessage = `Bad key ${KEY}, ${KEY.slice(0, 14)}…, Bearer abc.def, sk-other-999, http://me:pw@host/x?api_key=hush\u0000\u001b[31m\n${'long '.repeat(200)}`;
      const { message } = await failure({ mode: 'error', status: 401, errorMessage });
      const others = ['abc.def', 'other-999', 'me:pw', 'hush', '\u0000', '\u001b', '\n'];
      for (const secret of [KEY, KEY.slice(0, 14), KEY.slice(8, 20), ...others]) expect(message).not.toContain(secret);
    });

    it('is cut in the middle: keeps what came and says so', async () => {
      const { message, text } = await failure({ mode: 'cut', text: 'abcdefghij', deltas: 5 });
      expect(text).toBe('abcd');
      expect(message).toBe('The connection to the provider broke off before the answer was complete.');
    });

    it.each([0, 2])('falls silent after %i deltas', async (after) => {
      const { message, text } = await failure(
        { mode: 'silence', after, text: 'abcdefghij', deltas: 5 },
        // The first words must have time to come.
        after === 0 ? IMPATIENT : { MODEL_TIMEOUT_MS: '1500' },
      );
      expect(text).toBe('abcd'.slice(0, after * 2));
      expect(message).toBe(`The provider sent nothing for ${after === 0 ? '0.4' : '2'} seconds.`);
      await eventually(() => expect(fake.requests[0]?.closedEarly).toBe(true));
    });

    it('is slow but alive: longer than the time-out in all, never silent for as long', async () => {
      fake.behave({ deltas: 8, delayMs: 500, text: 'abcdefgh' });
      const { text, error } = await run(models({ MODEL_TIMEOUT_MS: '3000' }).stream(input()));
      expect(error).toBeUndefined();
      expect(text).toBe('abcdefgh');
    });

    it.each([301, 307])('sends us on with %i: nobody else gets the words', async (status) => {
      const other = await startFakeOpenAI();
      const { message } = await failure({ mode: 'error', status, location: `${other.url}/chat/completions` });
      expect(message).toBe(
        `The provider sends us on to ${new URL(other.url).host}, which was not followed. Check its address.`,
      );
      expect(other.requests).toEqual([]);
      await other.close();
    });

    it('is not there', async () => {
      const gone = await startFakeOpenAI();
      await gone.close();
      const { error } = await run(models({ OPENAI_BASE_URL: gone.url }).stream(input()));
      expect(error).toBeInstanceOf(ProviderError);
      const message = 'The provider could not be reached (ECONNREFUSED).';
      expect(error).toMatchObject({ message, provider: new URL(gone.url).host, model: 'gpt-4' });
    });
  });

  describe('an aborted call', () => {
    it.each(['before the first word', 'in the middle'])(
      '%s rejects with the caller’s reason and closes the socket',
      async (when) => {
        fake.behave({ mode: 'silence', after: when === 'in the middle' ? 2 : 0 });
        const controller = new AbortController();
        const reason = new Error('stopped by the person');
        const running = run(models().stream(input({ signal: controller.signal })));
        await eventually(() => expect(fake.requests).toHaveLength(1));
        controller.abort(reason);
        expect((await running).error).toBe(reason);
        await eventually(() => expect(fake.requests[0]?.closedEarly).toBe(true));
      },
    );

    it('rejects at once where the signal was aborted before', async () => {
      const reason = new Error('too late');
      expect((await run(models().stream(input({ signal: AbortSignal.abort(reason) })))).error).toBe(reason);
      expect(fake.requests).toHaveLength(0);
    });

    it('closes the socket too when the reader walks away', async () => {
      fake.behave({ mode: 'silence', after: 1 });
      for await (const event of models().stream(input())) {
        expect(event.type).toBe('delta');
        break;
      }
      await eventually(() => expect(fake.requests[0]?.closedEarly).toBe(true));
    });
  });
});

describe('titles by a provider', () => {
  const ask = (env: Record<string, string> = {}) =>
    models(env).title({
      model: 'gpt-4',
      question: 'Where should we stay in Lisbon?',
      answer: 'In Alfama.',
      signal: new AbortController().signal,
    });

  it('are cleaned', async () => {
    fake.behave({ text: '**"A Lisbon trip in May."**\n\nHope that helps!' });
    expect(await ask()).toBe('A Lisbon trip in May');
  });

  it.each(['<think>A trip?</think>', 'A trip?\n</think>\n', '<Thinking>A trip?</thinking>'])(
    'never see a thought: %s',
    async (thought) => {
      fake.behave({ text: `${thought}Alfama in May` });
      expect(await ask()).toBe('Alfama in May');
      const rest = { model: 'gpt-4', signal: new AbortController().signal };
      const summary = await models().summarise({ ...rest, previous: '', exchanges: [] });
      expect(summary.text).toBe('Alfama in May');
      fake.behave({ text: `${thought}{"facts":[{"from":0,"about":"You","text":"Alfama in May"}]}` });
      expect(await models().distil({ ...rest, sentences: ['x'] })).toEqual([
        { from: 0, about: 'You', text: 'Alfama in May' },
      ]);
    },
  );

  it('that are no title give way to the person’s own words', async () => {
    fake.behave({ text: `I'm sorry, ${'I can not do that. '.repeat(30)}` });
    expect(await ask()).toBe('Where should we stay in Lisbon');
  });

  it.each(['error', 'garbage', 'cut', 'silence', 'html'] as const)(
    'that end in %s are a ProviderError',
    async (mode) => {
      fake.behave({ mode });
      await expect(ask(mode === 'silence' ? IMPATIENT : {})).rejects.toBeInstanceOf(ProviderError);
    },
  );
});
