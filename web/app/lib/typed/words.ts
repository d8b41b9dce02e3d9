/** The part of a browser's storage that is used here. */
export type KeyValue = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** How the keys of what somebody typed begin; the person's id and `:` follow. `public/contact-form.js` uses it too. */
export const WORDS = 'draft:';

/** What one person typed, by name, in one storage of the browser. Nothing here throws: a refused text is kept in memory, as long as the page. */
export interface Words {
  read(name: string): string | null;
  /** Null removes it. */
  write(name: string, text: string | null): void;
  /** The names that begin like this. */
  names(prefix?: string): string[];
  /** The name that a key of the storage has; undefined when it is not the person's. */
  nameOf(key: string): string | undefined;
}

/** What `act` answers; undefined when it throws: the browser refuses its storage, it is full, or a text is no JSON. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Every key in `storage` that begins with one of these. */
export function keysOf(storage: KeyValue | null, ...prefixes: string[]): string[] {
  const all = attempt(() => Array.from({ length: storage?.length ?? 0 }, (_, at) => storage?.key(at) ?? '')) ?? [];
  return all.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
}

/** The words of whoever `owner` names; of nobody, none are kept. */
export function createWords(storage: KeyValue | null, owner: () => string): Words & { forgetRefused: () => void } {
  const refused = new Map<string, string>();
  const keyOf = (name: string) => `${WORDS}${owner()}:${name}`;
  return {
    read(name) {
      if (owner() === '') return null;
      const key = keyOf(name);
      return refused.get(key) ?? attempt(() => storage?.getItem(key)) ?? null;
    },
    write(name, text) {
      if (owner() === '') return;
      const key = keyOf(name);
      refused.delete(key);
      if (text !== null && storage && attempt(() => storage.setItem(key, text) ?? true)) return;
      // Also what was there before, when the new text is refused: it would come back in its place.
      attempt(() => storage?.removeItem(key));
      if (text !== null) refused.set(key, text);
    },
    names(prefix = '') {
      const keys = [...keysOf(storage, keyOf(prefix)), ...refused.keys()].filter((key) =>
        key.startsWith(keyOf(prefix)),
      );
      return owner() === '' ? [] : [...new Set(keys)].map((key) => key.slice(keyOf('').length));
    },
    nameOf: (key) => (owner() !== '' && key.startsWith(keyOf('')) ? key.slice(keyOf('').length) : undefined),
    forgetRefused: () => refused.clear(),
  };
}
