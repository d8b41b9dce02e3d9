import type { Words } from '../../../lib/typed/words.ts';
import { createListeners } from '../../../ui/shared-value.ts';

/** Somebody who wrote this recently in this tab is still writing, in milliseconds. */
const WRITING_MS = 5_000;

export type DraftStore = ReturnType<typeof createDraftStore>;

/** Unsent text, one per session, kept in `words`; it survives switching sessions, reloading, and closing the browser. */
export function createDraftStore(words: Words, now: () => number = Date.now) {
  const memory = new Map<string, string>();
  const writtenAt = new Map<string, number>();
  const listeners = createListeners();
  const isBeingWritten = (sessionId: string) => now() - (writtenAt.get(sessionId) ?? -WRITING_MS) < WRITING_MS;

  const read = (sessionId: string) => memory.get(sessionId) ?? words.read(sessionId) ?? '';
  const write = (sessionId: string, text: string) => {
    memory.set(sessionId, text);
    writtenAt.set(sessionId, now());
    words.write(sessionId, text === '' ? null : text);
    listeners.tell();
  };
  return {
    subscribe: listeners.subscribe,
    read,
    write,
    /** Takes words out that were sent; what was typed behind them stays. */
    take(sessionId: string, sent: string): void {
      const text = read(sessionId);
      if (text.startsWith(sent)) write(sessionId, text.slice(sent.length).trimStart());
    },
    /** Takes over what another tab stored, unless somebody is writing here. */
    receive(key: string | null, before: string | null, text: string | null): void {
      const sessionId = key === null ? undefined : words.nameOf(key);
      if (sessionId === undefined) return;
      const here = memory.get(sessionId);
      if (here !== undefined && isBeingWritten(sessionId)) return;
      // Sent or emptied there: other words than those are kept here.
      if (text === null && here !== undefined && here !== before) return;
      memory.delete(sessionId);
      listeners.tell();
    },
    /** Reads everything again: other words than before are kept. */
    reread(): void {
      memory.clear();
      writtenAt.clear();
      listeners.tell();
    },
  };
}
