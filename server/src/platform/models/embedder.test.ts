import { beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { startFakeOpenAI } from '../../testing/fake-openai.ts';
import { closing } from '../../testing/lifetimes.ts';
import { createModels } from './create-models.ts';
import { quantise } from './embedder.ts';
import { ProviderError } from './provider-error.ts';

const provider = await closing(startFakeOpenAI());
beforeEach(() => provider.reset());

const embedder = (env: Record<string, string> = {}) =>
  createModels(readConfig({ OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-secret-0123456789', ...env })).embedder;
const signal = new AbortController().signal;

describe('the embedder', () => {
  it('is there only where a model for it is named, or the provider is OpenAI itself', () => {
    expect(embedder()).toBeNull();
    expect(createModels(readConfig({})).embedder).toBeNull();
    expect(createModels(readConfig({ OPENAI_API_KEY: 'sk-x' })).embedder?.space).toBe('text-embedding-3-small/512');
    expect(embedder({ EMBEDDING_MODEL: 'nomic' })?.space).toBe('nomic');
  });

  it('asks in one request and gives unit vectors in order', async () => {
    const [a, b] = (await embedder({ EMBEDDING_MODEL: 'fake' })?.embed(['peanuts', 'trains'], signal)) ?? [];
    expect(provider.requests.map((r) => [r.path, r.body.model])).toEqual([['/v1/embeddings', 'fake']]);
    expect(a).not.toEqual(b);
    expect(Math.hypot(...(a ?? []))).toBeCloseTo(127, -1);
  });

  it.each([
    ['error', /429|limits/u],
    ['garbage', /could not be understood/u],
    ['cut', /broke off/u],
  ] as const)('throws a clear line without secrets on %s', async (mode, message) => {
    provider.behave({ mode, status: 429, errorMessage: 'no credit for sk-secret-0123456789' });
    const failure = await embedder({ EMBEDDING_MODEL: 'fake' })
      ?.embed(['x'], signal)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProviderError);
    expect(String(failure)).toMatch(message);
    expect(String(failure)).not.toContain('sk-secret');
  });
});

describe('an embedder that is let down', () => {
  it.each([
    ['too-few', /before it was complete/u],
    ['too-short', /wrong length/u],
    ['infinite', /could not be understood/u],
  ] as const)(
    'refuses embeddings that are %s, and says that it is failing until one request goes well',
    async (embeddings, message) => {
      const made = embedder({ EMBEDDING_MODEL: 'fake', EMBEDDING_DIMENSIONS: '64' });
      provider.behave({ embeddings });
      await expect(made?.embed(['one', 'two'], signal)).rejects.toThrow(message);
      expect(made?.failing).toBe(true);
      provider.behave({ embeddings: 'ok' });
      expect(await made?.embed(['one', 'two'], signal)).toHaveLength(2);
      expect(made?.failing).toBe(false);
    },
  );

  it('counts what comes too late as a failure, and what nobody waits for any more as none', async () => {
    provider.behave({ embeddings: 'silence' });
    const made = embedder({ EMBEDDING_MODEL: 'fake' });
    const gone = new AbortController();
    const asked = made?.embed(['x'], gone.signal);
    gone.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    expect(made?.failing).toBe(false);
    await expect(made?.embed(['x'], AbortSignal.timeout(20))).rejects.toThrow();
    expect(made?.failing).toBe(true);
  });

  it('takes the beginning of vectors that are longer than asked for', async () => {
    const made = embedder({ EMBEDDING_MODEL: 'fake', EMBEDDING_DIMENSIONS: '64' });
    const [vector] = (await made?.embed(['peanuts'], signal)) ?? [];
    provider.behave({ embeddings: 'too-long' });
    expect(await embedder({ EMBEDDING_MODEL: 'fake', EMBEDDING_DIMENSIONS: '64' })?.embed(['peanuts'], signal)).toEqual(
      [vector],
    );
  });

  it('sends no text twice', async () => {
    const made = embedder({ EMBEDDING_MODEL: 'fake' });
    const [first] = (await made?.embed(['peanuts', 'peanuts'], signal)) ?? [];
    const again = await made?.embed(['trains', 'peanuts'], signal);
    expect(again?.[1]).toEqual(first);
    expect(provider.requests.map((request) => request.body.input)).toEqual([['peanuts'], ['trains']]);
  });
});

it('quantises to steps of 1/127 of unit length; nothing stays nothing', () => {
  expect(quantise([3, 4])).toEqual(Int8Array.from([76, 102]));
  expect(quantise([0, 0])).toEqual(new Int8Array(2));
  expect(quantise([Number.NaN, 1])).toEqual(new Int8Array(2));
});
