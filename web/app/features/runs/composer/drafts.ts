import { createListeners, type KeyValue } from './kept.ts';

/** Unsent text, one per session; it survives switching sessions and reloading the tab. */
export interface DraftStore {
  read(sessionId: string): string;
  write(sessionId: string, text: string): void;
  /** Forgets every draft, when the person signs out. */
  clear(): void;
  /** Calls `listener` at every change. Returns a function that stops. */
  subscribe(listener: () => void): () => void;
}

/** Keeps drafts in `storage` under `prefix`, and only in memory if the browser refuses to store. */
export function createDraftStore(storage: KeyValue | null, prefix = 'draft:'): DraftStore {
  const memory = new Map<string, string>();
  const listeners = createListeners();
  const attempt = <T>(act: (kept: KeyValue) => T): T | undefined => {
    try {
      return storage ? act(storage) : undefined;
    } catch {
      // With full or forbidden storage, a draft doesn't survive a reload, but typing works.
      return undefined;
    }
  };
  return {
    subscribe: listeners.subscribe,
    read(sessionId) {
      return memory.get(sessionId) ?? attempt((kept) => kept.getItem(prefix + sessionId)) ?? '';
    },
    write(sessionId, text) {
      memory.set(sessionId, text);
      attempt((kept) => (text === '' ? kept.removeItem(prefix + sessionId) : kept.setItem(prefix + sessionId, text)));
      listeners.tell();
    },
    clear() {
      memory.clear();
      attempt((kept) => {
        const keys = Array.from({ length: kept.length }, (_, i) => kept.key(i) ?? '');
        for (const key of keys) if (key.startsWith(prefix)) kept.removeItem(key);
      });
      listeners.tell();
    },
  };
}
