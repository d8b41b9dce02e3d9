const EMPTY = 0;

/** Numbers hashed terms in order of arrival. Packed: a table of strings would take several times as much. */
export class TermTable {
  #keys = new Int32Array(64);
  #numbers = new Int32Array(64);
  size = 0;

  get bytes(): number {
    return this.#keys.byteLength + this.#numbers.byteLength;
  }

  /** The number of a term, -1 for unknown. */
  find(hash: number): number {
    const at = this.#place(hash);
    return this.#keys[at] === EMPTY ? -1 : (this.#numbers[at] ?? -1);
  }

  /** The number of a term; unknown terms get a new one. */
  take(hash: number): number {
    const at = this.#place(hash);
    if (this.#keys[at] !== EMPTY) return this.#numbers[at] ?? -1;
    const number = this.size;
    this.#keys[at] = hash;
    this.#numbers[at] = number;
    this.size += 1;
    if (this.size * 4 > this.#keys.length * 3) this.#grow();
    return number;
  }

  #place(hash: number): number {
    const mask = this.#keys.length - 1;
    let at = Math.imul(hash, 0x9e3779b1) & mask;
    while (this.#keys[at] !== EMPTY && this.#keys[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [keys, numbers] = [this.#keys, this.#numbers];
    this.#keys = new Int32Array(keys.length * 2);
    this.#numbers = new Int32Array(keys.length * 2);
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i] ?? EMPTY;
      if (key === EMPTY) continue;
      const at = this.#place(key);
      this.#keys[at] = key;
      this.#numbers[at] = numbers[i] ?? -1;
    }
  }
}
