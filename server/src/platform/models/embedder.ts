import type { EmbeddingModel } from 'ai';
import { embedMany } from 'ai';
import { explainFailure } from './provider-error.ts';
import { type Watch, watchSilence } from './silence.ts';

/** Turns texts into vectors whose nearness is nearness in meaning. */
export interface Embedder {
  /** Names the space: vectors of different names are never compared. */
  readonly space: string;
  /** One vector a text, of unit length in steps of 1/127. Throws ProviderError. */
  embed(texts: string[], signal: AbortSignal): Promise<Int8Array[]>;
}

/** As much of a text as every embedding model takes. */
const TEXT_MAX = 8_000;
const DIMENSIONS_MAX = 4_096;

interface Options {
  space: string;
  model: (watch: Watch) => EmbeddingModel;
  dimensions: number | undefined;
  timeoutMs: number;
  secrets: string[];
}

/** An embedder over any model of the AI SDK. */
export function createEmbedder({ space, model, dimensions, timeoutMs, secrets }: Options): Embedder {
  return {
    space,
    async embed(texts, signal) {
      const watch = watchSilence(signal, timeoutMs);
      try {
        const { embeddings } = await embedMany({
          model: model(watch),
          values: texts.map((text) => text.slice(0, TEXT_MAX).toWellFormed()),
          abortSignal: watch.signal,
          maxRetries: 0,
          ...(dimensions === undefined ? {} : { dimensions }),
        });
        return embeddings.map(quantise);
      } catch (error) {
        signal.throwIfAborted();
        throw explainFailure(watch.signal.aborted ? watch.signal.reason : error, secrets);
      } finally {
        watch.stop();
      }
    },
  };
}

/** A vector at unit length in 127 steps each way: a quarter of the room, and nearness differs by less than a hundredth. */
export function quantise(vector: readonly number[]): Int8Array {
  const cut = vector.slice(0, DIMENSIONS_MAX);
  const length = Math.hypot(...cut);
  if (!Number.isFinite(length) || length === 0) return new Int8Array(cut.length);
  return Int8Array.from(cut, (value) => Math.round((value / length) * 127));
}
