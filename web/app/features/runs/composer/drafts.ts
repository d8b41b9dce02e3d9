import { createListeners, type KeyValue } from './kept.ts';

/** What is typed but not sent, one text a session; it survives switching sessions and reloading the tab. */
export interface DraftStore {
  read(sessionId: string): string;
  write(sessionId: string, text: string): void;
  /** Forgets every draft, for when the person signs out. */
  clear(): void;
  /** Calls `listener` at every change. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** Keeps drafts in `storage` under `prefix`, and in memory alone where the browser refuses to store. */
export function createDraftStore(storage: KeyValue | null, prefix = 'draft:'): DraftStore {
  const memory = new Map<string, string>();
  const listeners = createListeners();
  const attempt = <T>(act: (kept: KeyValue) => T): T | undefined => {
    try {
      return storage ? act(storage) : undefined;
    } catch {
      // A full or forbidden storage costs the draft its reload, never the typing.
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
