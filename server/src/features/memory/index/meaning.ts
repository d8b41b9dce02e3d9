import { scoreOf, sumOf } from './fuse.ts';
import type { Ranked } from './rank.ts';

/** The cosine that means nothing, and the span above it up to the same meaning, for common embedding models. */
const NOTHING = 0.2;
const SPAN = 0.6;
/** The least similarity of a memory that shares no word with the question. */
const NEAR = 0.35;
/**
 * What the same meaning adds to the sum of the signals, see fuse.ts. As much as one good signal: an embedding that knows little must not
 * outweigh the words.
 */
const WEIGHT = 2;
/** The sum of a statement that shares no word with the question. */
const STATEMENT = 2;
const UNIT = 127 * 127;

export interface Near {
  id: string;
  /** From -1 to 1. */
  cosine: number;
}

/** A memory with its embedding. */
export interface Placed {
  id: string;
  vector: Int8Array;
}

/** The cosine of two vectors; 0 for different lengths. */
export function cosineBetween(a: Int8Array, b: Int8Array): number {
  if (a.length !== b.length) return 0;
  return a.reduce((sum, value, d) => sum + value * (b[d] ?? 0), 0) / UNIT;
}

/** The embeddings of an agent's memories, packed in one matrix of signed bytes. Pure. */
export class Meanings {
  #dimensions = 0;
  #matrix = new Int8Array(0);
  readonly #ids: string[] = [];
  readonly #rowOf = new Map<string, number>();

  get size(): number {
    return this.#rowOf.size;
  }

  /** The size in bytes. */
  get bytes(): number {
    return this.#matrix.byteLength + this.#ids.length * 150;
  }

  /** Stores or replaces a memory's vector. The first one sets the length; vectors of another length are ignored. */
  set(id: string, vector: Int8Array): void {
    if (this.#dimensions === 0) this.#dimensions = vector.length;
    if (vector.length !== this.#dimensions || vector.length === 0) return;
    const row = this.#rowOf.get(id) ?? this.#ids.length;
    if (row === this.#ids.length) {
      this.#ids.push(id);
      this.#rowOf.set(id, row);
    }
    const end = (row + 1) * this.#dimensions;
    if (end > this.#matrix.length) {
      const grown = new Int8Array(Math.max(end, Math.ceil(this.#matrix.length * 1.5)));
      grown.set(this.#matrix);
      this.#matrix = grown;
    }
    this.#matrix.set(vector, row * this.#dimensions);
  }

  forget(id: string): void {
    const row = this.#rowOf.get(id);
    if (row === undefined) return;
    this.#rowOf.delete(id);
    this.#ids[row] = '';
    this.#matrix.fill(0, row * this.#dimensions, (row + 1) * this.#dimensions);
  }

  /** The memories nearest to a vector, nearest first. */
  nearest(vector: Int8Array, limit: number): Near[] {
    const size = this.#dimensions;
    if (vector.length !== size || size === 0) return [];
    const found: Near[] = [];
    let least = NOTHING;
    for (let row = 0, at = 0; row < this.#ids.length; row += 1) {
      let dot = 0;
      for (let d = 0; d < size; d += 1, at += 1) dot += (this.#matrix[at] ?? 0) * (vector[d] ?? 0);
      const cosine = dot / UNIT;
      const id = this.#ids[row] ?? '';
      if (cosine <= least || id === '') continue;
      found.push({ id, cosine });
      if (found.length >= 2 * limit) {
        found.sort((a, b) => b.cosine - a.cosine).length = limit;
        least = found.at(-1)?.cosine ?? least;
      }
    }
    return found.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
  }
}

/** Merges results by words and by meaning: similarity is one more signal in the sum. */
export function fuseMeanings(ranked: readonly Ranked[], near: readonly Near[], limit: number): Ranked[] {
  const cosines = new Map(near.map(({ id, cosine }) => [id, cosine]));
  const byWords = new Set(ranked.map(({ id }) => id));
  const added = near
    .filter(({ id, cosine }) => !byWords.has(id) && cosine >= NEAR)
    .map(({ id }) => ({ id, score: 0, rivals: [], repeats: [] }));
  return [...ranked, ...added]
    .map((one) => ({ ...one, score: withMeaning(one.score, cosines.get(one.id) ?? 0) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function withMeaning(score: number, cosine: number): number {
  const sum = score <= 0 ? STATEMENT : sumOf(score);
  const meaning = Math.min(1, Math.max(0, (cosine - NOTHING) / SPAN));
  return scoreOf(sum + WEIGHT * meaning);
}
