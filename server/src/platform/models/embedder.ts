import { createHash } from 'node:crypto';
import type { EmbeddingModel } from 'ai';
import type { Watch } from '../silence.ts';
import { type ProviderAnswer, ProviderError } from './provider-error.ts';
import { watchProvider } from './silence.ts';
import { countTokens, type TokenCount } from './tokens.ts';

/** Turns texts into vectors that are near each other when the texts mean the same. */
export type Embedder = ReturnType<typeof createEmbedder>;

/** Every embedding model takes this much of a text. */
const TEXT_MAX = 8_000;
const DIMENSIONS_MAX = 4_096;
const FAILING_MS = 10_000;
/** The size of the cache: with 512 values each, thirty thousand texts. */
const KEPT_BYTES = 16 * 1024 * 1024;

interface Options {
  space: string;
  model: (watch: Watch) => EmbeddingModel | Promise<EmbeddingModel>;
  dimensions: number | undefined;
  timeoutMs: number;
  secrets: string[];
  /** Whose embeddings they are, for the log. */
  origin: Pick<ProviderAnswer, 'provider' | 'model'>;
}

/** An embedder over any model of the AI SDK. */
export function createEmbedder(options: Options) {
  const cache = new Map<string, Int8Array>();
  let failedAt = -Infinity;
  return {
    /** Names the space: vectors of different spaces are never compared. */
    space: options.space,
    /** The model's id at its provider. */
    model: options.origin.model ?? options.space,
    /** True for some seconds after a request failed or was late, unless one has succeeded since: nobody should wait then. */
    get failing() {
      return performance.now() - failedAt < FAILING_MS;
    },
    /** One vector per text, of unit length in steps of 1/127. Recent texts are cached; `onTokens` is told what the others took. Throws ProviderError, or the signal's reason. */
    async embed(texts: string[], signal: AbortSignal, onTokens?: (tokens: TokenCount) => void): Promise<Int8Array[]> {
      const keys = texts.map(textHash);
      const missing = new Map(keys.flatMap((key, i) => (cache.has(key) ? [] : [[key, texts[i] ?? '']])));
      const vectors = new Map(keys.map((key) => [key, cache.get(key)]));
      if (missing.size > 0) {
        try {
          const { made, tokens } = await request(options, [...missing.values()], signal);
          onTokens?.(tokens);
          failedAt = -Infinity;
          for (const [i, key] of [...missing.keys()].entries()) vectors.set(key, made[i]);
        } catch (error) {
          // The caller may have left; only a late answer counts against the provider.
          if (!signal.aborted || signal.reason?.name === 'TimeoutError') failedAt = performance.now();
          throw error;
        }
      }
      for (const [key, vector] of vectors) keep(cache, key, vector);
      return keys.map((key) => vectors.get(key) ?? new Int8Array(0));
    },
  };
}

const textHash = (text: string) => createHash('sha256').update(text).digest('base64');

/** Caches a vector as the most recently used, and drops the least recently used. */
function keep(cache: Map<string, Int8Array>, key: string, vector: Int8Array | undefined): void {
  if (vector === undefined) return;
  cache.delete(key);
  cache.set(key, vector);
  const [oldest] = cache.size * vector.length > KEPT_BYTES ? cache.keys() : [];
  if (oldest !== undefined) cache.delete(oldest);
}

async function request(options: Options, texts: string[], signal: AbortSignal) {
  const { model, dimensions, timeoutMs, secrets, origin } = options;
  // The AI SDK is loaded with the first text.
  const { embedMany } = await import('ai');
  const { explainFailure } = await import('./explain-failure.ts');
  const watch = watchProvider(signal, timeoutMs);
  try {
    const values = texts.map((text) => text.slice(0, TEXT_MAX).toWellFormed());
    const { embeddings, usage } = await embedMany({
      model: await model(watch),
      values,
      abortSignal: watch.signal,
      maxRetries: 0,
      ...(dimensions === undefined ? {} : { dimensions }),
    });
    // Some servers ignore the requested length; the first values of a longer vector work too.
    const cut = embeddings.map((embedding) => embedding.slice(0, dimensions ?? DIMENSIONS_MAX));
    const length = dimensions ?? cut[0]?.length ?? 0;
    if (length === 0 || cut.some((embedding) => embedding.length !== length)) {
      throw new ProviderError('The provider sent embeddings of the wrong length.');
    }
    return { made: cut.map(quantise), tokens: countEmbedded(usage.tokens, values) };
  } catch (error) {
    signal.throwIfAborted();
    throw explainFailure(watch.signal.aborted ? watch.signal.reason : error, secrets, origin);
  } finally {
    watch.stop();
  }
}

/** Servers that don't count say nothing, or nought. */
function countEmbedded(counted: number | undefined, texts: readonly string[]): TokenCount {
  const isCounted = counted !== undefined && Number.isSafeInteger(counted) && counted > 0;
  const inputTokens = isCounted ? counted : texts.reduce((sum, text) => sum + countTokens(text), 0);
  return { inputTokens, outputTokens: 0, estimated: !isCounted };
}

/** A vector at unit length in 127 steps each way: a quarter of the room, and similarity changes by less than a hundredth. */
export function quantise(vector: readonly number[]): Int8Array {
  const cut = vector.slice(0, DIMENSIONS_MAX);
  const length = Math.hypot(...cut);
  if (!Number.isFinite(length) || length === 0) return new Int8Array(cut.length);
  return Int8Array.from(cut, (value) => Math.round((value / length) * 127));
}
