const START = 64;
const GROWTH = 1.5;
/** The highest count that a row can store. */
const COUNT_MAX = 65_535;

/** What the index stores about each memory beside the postings, in columns. Rows are numbered in storage order. */
export class Rows {
  size = 0;
  ids: string[] = [];
  session = new Int32Array(START);
  /** The rows before and after in the same session, -1 for none. */
  previous = new Int32Array(START);
  next = new Int32Array(START);
  /** When it was said, in days since 1970. */
  day = new Int32Array(START);
  /** The days that it mentions; `from` is after `to` when there are none. */
  spanFrom = new Int32Array(START);
  spanTo = new Int32Array(START);
  traits = new Uint16Array(START);
  /** The hash of its single-valued concept, 0 for none. */
  slot = new Int32Array(START);
  /** The hash of the speaker's first name, 0 for none. */
  speaker = new Int32Array(START);
  /** The hash of who said what: rows with the same one are repeats. */
  same = new Int32Array(START);
  /** How many meaningful words, runs of characters and concepts it has. */
  length = new Uint16Array(START);
  grams = new Uint16Array(START);
  matters = new Uint16Array(START);
  /** Where the row's stems begin in `stems`. */
  stemsAt = new Int32Array(START);
  stems = new Int32Array(START * 8);
  stemsUsed = 0;

  /** The sums of the three columns, forgotten rows left out. */
  readonly totals = { length: 0, grams: 0, matters: 0 };
  /** How many rows are not forgotten. */
  living = 0;

  /** The usual number of words of a row. */
  get meanLength(): number {
    return this.totals.length / Math.max(1, this.living);
  }

  get meanGrams(): number {
    return this.totals.grams / Math.max(1, this.living);
  }

  get meanMatters(): number {
    return this.totals.matters / Math.max(1, this.living);
  }

  get bytes(): number {
    // An id is a string of 36 characters in an array and a map, and costs garbage collection.
    return this.session.length * 48 + this.stems.byteLength + this.size * 215;
  }

  /** Makes room for one more row and returns its number. */
  append(id: string, stems: readonly number[]): number {
    if (this.size === this.session.length) this.#grow();
    if (this.stemsUsed + stems.length > this.stems.length) {
      this.stems = wider(this.stems, new Int32Array(Math.ceil(this.stems.length * GROWTH) + stems.length));
    }
    const row = this.size;
    this.size += 1;
    this.ids.push(id);
    this.stemsAt[row] = this.stemsUsed;
    this.stems.set(stems, this.stemsUsed);
    this.stemsUsed += stems.length;
    return row;
  }

  /** Stores how many words, runs of characters and concepts a new row has. */
  measure(row: number, length: number, grams: number, matters: number): void {
    this.length[row] = Math.min(COUNT_MAX, length);
    this.grams[row] = Math.min(COUNT_MAX, grams);
    this.matters[row] = Math.min(COUNT_MAX, matters);
    this.#total(row, 1);
  }

  #total(row: number, sign: 1 | -1): void {
    this.living += sign;
    this.totals.length += sign * (this.length[row] ?? 0);
    this.totals.grams += sign * (this.grams[row] ?? 0);
    this.totals.matters += sign * (this.matters[row] ?? 0);
  }

  /** The distinct stem numbers of a row. */
  stemsOf(row: number): Int32Array {
    const end = row + 1 < this.size ? this.stemsAt[row + 1] : this.stemsUsed;
    return this.stems.subarray(this.stemsAt[row], end);
  }

  /** Erases everything of a row but its number, and joins its neighbours. */
  blank(row: number): void {
    const previous = this.previous[row] ?? -1;
    const next = this.next[row] ?? -1;
    if (previous >= 0) this.next[previous] = next;
    if (next >= 0) this.previous[next] = previous;
    this.stemsOf(row).fill(0);
    this.ids[row] = '';
    this.#total(row, -1);
    this.traits[row] = 0;
    this.length[row] = 0;
    this.grams[row] = 0;
    this.matters[row] = 0;
    this.speaker[row] = 0;
    this.slot[row] = 0;
    this.same[row] = 0;
    this.spanTo[row] = -1;
    this.spanFrom[row] = 0;
  }

  #grow(): void {
    const size = Math.ceil(this.session.length * GROWTH);
    this.session = wider(this.session, new Int32Array(size));
    this.previous = wider(this.previous, new Int32Array(size));
    this.next = wider(this.next, new Int32Array(size));
    this.day = wider(this.day, new Int32Array(size));
    this.spanFrom = wider(this.spanFrom, new Int32Array(size));
    this.spanTo = wider(this.spanTo, new Int32Array(size));
    this.traits = wider(this.traits, new Uint16Array(size));
    this.slot = wider(this.slot, new Int32Array(size));
    this.speaker = wider(this.speaker, new Int32Array(size));
    this.same = wider(this.same, new Int32Array(size));
    this.length = wider(this.length, new Uint16Array(size));
    this.grams = wider(this.grams, new Uint16Array(size));
    this.matters = wider(this.matters, new Uint16Array(size));
    this.stemsAt = wider(this.stemsAt, new Int32Array(size));
  }
}

function wider<T extends Int32Array | Uint16Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
