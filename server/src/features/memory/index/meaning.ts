import { type Ranked, scoreOf, sumOf } from './fuse.ts';

/**
 * The usual cosine of two texts and its deviation, as if this many had been seen: a small memory has too few of its own. Models differ in
 * what a cosine means; how far one stands out among the others is comparable.
 */
const USUAL = { cosine: 0.2, deviation: 0.1, seen: 30 };
/** In deviations above the usual: below the first a similarity means nothing, from there on it counts more and more. */
const STANDS_OUT = 5;
const SPAN = 6;
/** The least similarity of a memory that shares no word with the question. */
const NEAR = 0.45;
/**
 * What the same meaning adds to the sum of the signals at most, see fuse.ts: it decides between memories that fit about equally by words. With
 * more, models put what is merely about the same subject before what answers.
 */
const WEIGHT = 1;
/** The sum of a memory that shares no word with the question: that of a weak match by words. */
const STATEMENT = 3;
const UNIT = 127 * 127;

export interface Near {
  id: string;
  /** From -1 to 1. */
  cosine: number;
}

export interface Outstanding extends Near {
  /** How far it stands out among all memories, from 0 to 1. */
  strength: number;
}

/** A memory with its embedding. */
export interface RowVector {
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

  /** The memories nearest to a vector, nearest first. `fresh` are memories that have no row yet. */
  nearest(vector: Int8Array, limit: number, fresh: readonly RowVector[] = []): Outstanding[] {
    const size = this.#dimensions;
    const matches = fresh.map(({ id, vector: other }) => ({ id, cosine: cosineBetween(other, vector) }));
    const spread = new Spread();
    if (vector.length === size) this.#compare(vector, size, limit, matches, spread);
    return matches
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, limit + fresh.length)
      .map((one) => ({ ...one, strength: spread.strengthOf(one.cosine) }));
  }

  #compare(vector: Int8Array, size: number, limit: number, matches: Near[], spread: Spread): void {
    let least: number = USUAL.cosine;
    for (let row = 0, at = 0; row < this.#ids.length; row += 1) {
      let dot = 0;
      for (let d = 0; d < size; d += 1, at += 1) dot += (this.#matrix[at] ?? 0) * (vector[d] ?? 0);
      const id = this.#ids[row] ?? '';
      if (id === '') continue;
      const cosine = dot / UNIT;
      spread.add(cosine);
      if (cosine <= least) continue;
      matches.push({ id, cosine });
      if (matches.length >= 2 * limit) {
        matches.sort((a, b) => b.cosine - a.cosine).length = limit;
        least = matches.at(-1)?.cosine ?? least;
      }
    }
  }
}

/** How the cosines of a question spread over a memory. */
class Spread {
  #seen = USUAL.seen;
  #sum = USUAL.seen * USUAL.cosine;
  #squares = USUAL.seen * (USUAL.cosine ** 2 + USUAL.deviation ** 2);

  add(cosine: number): void {
    this.#seen += 1;
    this.#sum += cosine;
    this.#squares += cosine * cosine;
  }

  strengthOf(cosine: number): number {
    const mean = this.#sum / this.#seen;
    const deviation = Math.sqrt(Math.max(1e-6, this.#squares / this.#seen - mean * mean));
    return Math.min(1, Math.max(0, ((cosine - mean) / deviation - STANDS_OUT) / SPAN));
  }
}

/** Merges results by words and by meaning, best first: similarity is one more signal in the sum. */
export function fuseMeanings(ranked: readonly Ranked[], near: readonly Outstanding[]): Ranked[] {
  const strengths = new Map(near.map(({ id, strength }) => [id, strength]));
  const byWords = new Set(ranked.map(({ id }) => id));
  const added = near
    .filter(({ id, cosine }) => !byWords.has(id) && cosine >= NEAR)
    .map(({ id }) => ({ id, score: 0, rivals: [], repeats: [] }));
  return [...ranked, ...added]
    .map((one) => ({ ...one, score: withMeaning(one.score, strengths.get(one.id) ?? 0) }))
    .sort((a, b) => b.score - a.score);
}

function withMeaning(score: number, strength: number): number {
  const sum = score <= 0 ? STATEMENT : sumOf(score);
  return scoreOf(sum + WEIGHT * strength);
}
