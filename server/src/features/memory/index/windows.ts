import type { Gathered } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';
import { TRAIT } from './traits.ts';

const BEFORE = 7;
const AFTER = 6;
const TERMS = 32;
/** BM25's saturation; all windows are the same length, so there is no length factor. */
const K1 = 0.9;

/** The agent's statements count less, because they may only repeat the person or its memory. */
const AGENT_FACTOR = 0.4;
/** Named speakers are two people, and neither repeats the other. */
export const kindFactor = ({ rows }: MemoryIndex, row: number) =>
  ((rows.traits[row] ?? 0) & TRAIT.agent) !== 0 && rows.speaker[row] === 0 ? AGENT_FACTOR : 1;

/** Which query words occur in the turns around a row, as if they were one text: call `look`, then read. */
export class Windows {
  /** The row and the turn before. */
  pair = 0;
  /** One turn before and one after. */
  three = 0;
  /** Three before and two after. */
  six = 0;
  /** Seven before and six after. */
  fourteen = 0;
  readonly #counts = new Float32Array(TERMS);
  readonly #index: MemoryIndex;
  readonly #gathered: Gathered;

  constructor(index: MemoryIndex, gathered: Gathered) {
    this.#index = index;
    this.#gathered = gathered;
  }

  look(row: number): void {
    const { previous, next } = this.#index.rows;
    this.#counts.fill(0);
    this.#count(row);
    let before = previous[row] ?? -1;
    let after = next[row] ?? -1;
    for (let by = 1; by <= BEFORE; by += 1) {
      if (before >= 0) {
        this.#count(before);
        before = previous[before] ?? -1;
      }
      if (by === 1) this.pair = this.#total();
      if (by === 3) this.six = this.#total();
      if (after >= 0 && by <= AFTER) {
        this.#count(after);
        after = next[after] ?? -1;
      }
      if (by === 1) this.three = this.#total();
    }
    this.fourteen = this.#total();
  }

  #count(row: number): void {
    const { sums, topic, idf } = this.#gathered;
    if (!sums.holds(row)) return;
    const mask = (sums.mask[row] ?? 0) & topic;
    if (mask === 0) return;
    const factor = kindFactor(this.#index, row);
    for (let bit = 0; bit < idf.length; bit += 1) {
      if ((mask >>> bit) & 1) this.#counts[bit] = (this.#counts[bit] ?? 0) + factor;
    }
  }

  #total(): number {
    const { idf } = this.#gathered;
    let sum = 0;
    for (let bit = 0; bit < idf.length; bit += 1) {
      const held = this.#counts[bit] ?? 0;
      if (held > 0) sum += ((idf[bit] ?? 0) * held) / (held + K1);
    }
    return sum;
  }
}
