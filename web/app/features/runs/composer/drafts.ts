import type { Words } from '../../../lib/typed/words.ts';
import { createListeners } from '../../../ui/shared-value.ts';

/** Somebody who wrote this recently in this tab is still writing, in milliseconds. */
const WRITING_MS = 5_000;

/** Unsent text, one per session; it survives switching sessions, reloading, and closing the browser. */
export interface DraftStore {
  read(sessionId: string): string;
  write(sessionId: string, text: string): void;
  /** Takes words out that were sent; what was typed behind them stays. */
  take(sessionId: string, sent: string): void;
  /** Takes over what another tab stored, unless somebody is writing here. */
  receive(key: string | null, before: string | null, now: string | null): void;
  /** Reads everything again: other words than before are kept. */
  reread(): void;
  /** Calls `listener` at every change. Returns a function that stops. */
  subscribe(listener: () => void): () => void;
}

/** Keeps drafts in `words`. */
export function createDraftStore(words: Words, now: () => number = Date.now): DraftStore {
  const memory = new Map<string, string>();
  const writtenAt = new Map<string, number>();
  const listeners = createListeners();
  const isBeingWritten = (sessionId: string) => now() - (writtenAt.get(sessionId) ?? -WRITING_MS) < WRITING_MS;

  const store: DraftStore = {
    subscribe: listeners.subscribe,
    read: (sessionId) => memory.get(sessionId) ?? words.read(sessionId) ?? '',
    write(sessionId, text) {
      memory.set(sessionId, text);
      writtenAt.set(sessionId, now());
      words.write(sessionId, text === '' ? null : text);
      listeners.tell();
    },
    take(sessionId, sent) {
      const text = store.read(sessionId);
      if (text.startsWith(sent)) store.write(sessionId, text.slice(sent.length).trimStart());
    },
    receive(key, before, text) {
      const sessionId = key === null ? undefined : words.nameOf(key);
      if (sessionId === undefined) return;
      const here = memory.get(sessionId);
      if (here !== undefined && isBeingWritten(sessionId)) return;
      // Sent or emptied there: other words than those are kept here.
      if (text === null && here !== undefined && here !== before) return;
      memory.delete(sessionId);
      listeners.tell();
    },
    reread() {
      memory.clear();
      writtenAt.clear();
      listeners.tell();
    },
  };
  return store;
}
