/**
 * Values by text, of which the latest `max` stay, and at most twice as many. Two generations instead of an order: a `Map` from which the
 * oldest is taken again and again passes all that were there before it.
 */
export class Recent<T extends NonNullable<unknown>> {
  readonly #max: number;
  #young = new Map<string, T>();
  #old = new Map<string, T>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts as use. */
  get(text: string): T | undefined {
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const old = this.#old.get(text);
    if (old !== undefined) this.set(text, old);
    return old;
  }

  set(text: string, value: T): void {
    if (this.#young.size >= this.#max && !this.#young.has(text)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, value);
  }
}

/**
 * The same function of a text, which keeps its latest `max` results, and at most twice as many. For pure functions whose texts come again,
 * such as memories that one question after another recalls.
 */
export function keepRecent<T extends NonNullable<unknown>>(
  max: number,
  read: (text: string) => T,
): (text: string) => T {
  const cache = new Recent<T>(max);
  return (text) => {
    const entry = cache.get(text);
    if (entry !== undefined) return entry;
    const result = read(text);
    cache.set(text, result);
    return result;
  };
}
