import { DRAFTS } from '../../../lib/draft-storage.ts';
import { createListeners } from '../../../ui/shared-value.ts';
import type { KeyValue } from './kept.ts';

/** Somebody who wrote this recently in this tab is still writing, in milliseconds. */
const WRITING_MS = 5_000;

/** Unsent text, one per account and session; it survives switching sessions, reloading, and closing the browser. */
export interface DraftStore {
  /** Sets whose drafts are shown and stored; without a person, none are. */
  own(uid: string): void;
  read(sessionId: string): string;
  write(sessionId: string, text: string): void;
  /** Takes words out that were sent; what was typed behind them stays. */
  take(sessionId: string, sent: string): void;
  /** Takes over what another tab stored, unless somebody is writing here. */
  receive(key: string | null, before: string | null, now: string | null): void;
  /** Forgets every draft of the person, when they sign out. */
  clear(): void;
  /** Calls `listener` at every change. Returns a function that stops. */
  subscribe(listener: () => void): () => void;
}

/** The drafts of the owner in `storage`; a browser that refuses it keeps nothing. */
function createKept(storage: KeyValue | null) {
  let owner = '';
  const prefix = () => `${DRAFTS}${owner}:`;
  const attempt = <T>(act: (kept: KeyValue) => T): T | undefined => {
    try {
      return storage && owner !== '' ? act(storage) : undefined;
    } catch {
      // With full or forbidden storage, a draft doesn't survive a reload, but typing works.
      return undefined;
    }
  };
  return {
    /** Changes the owner; false when it is the same. */
    own(uid: string): boolean {
      if (uid === owner) return false;
      owner = uid;
      return true;
    },
    /** The session that a key of the storage belongs to, if it is the owner's. */
    sessionOf: (key: string) => (owner !== '' && key.startsWith(prefix()) ? key.slice(prefix().length) : undefined),
    read: (sessionId: string) => attempt((kept) => kept.getItem(prefix() + sessionId)),
    write(sessionId: string, text: string) {
      const key = prefix() + sessionId;
      attempt((kept) => (text === '' ? kept.removeItem(key) : kept.setItem(key, text)));
    },
    clear() {
      attempt((kept) => {
        const keys = Array.from({ length: kept.length }, (_, i) => kept.key(i) ?? '');
        for (const key of keys) if (key.startsWith(prefix())) kept.removeItem(key);
      });
    },
  };
}

/** Keeps drafts in `storage`, and only in memory if the browser refuses to store. */
export function createDraftStore(storage: KeyValue | null, now: () => number = Date.now): DraftStore {
  const kept = createKept(storage);
  const memory = new Map<string, string>();
  const writtenAt = new Map<string, number>();
  const listeners = createListeners();
  const isBeingWritten = (sessionId: string) => now() - (writtenAt.get(sessionId) ?? -WRITING_MS) < WRITING_MS;
  const forget = () => {
    memory.clear();
    writtenAt.clear();
    listeners.tell();
  };

  const store: DraftStore = {
    subscribe: listeners.subscribe,
    own: (uid) => void (kept.own(uid) && forget()),
    read: (sessionId) => memory.get(sessionId) ?? kept.read(sessionId) ?? '',
    write(sessionId, text) {
      memory.set(sessionId, text);
      writtenAt.set(sessionId, now());
      kept.write(sessionId, text);
      listeners.tell();
    },
    take(sessionId, sent) {
      const text = store.read(sessionId);
      if (text.startsWith(sent)) store.write(sessionId, text.slice(sent.length).trimStart());
    },
    receive(key, before, text) {
      const sessionId = key === null ? undefined : kept.sessionOf(key);
      if (sessionId === undefined) return;
      const here = memory.get(sessionId);
      if (here !== undefined && isBeingWritten(sessionId)) return;
      // Sent or emptied there: other words than those are kept here.
      if (text === null && here !== undefined && here !== before) return;
      memory.delete(sessionId);
      listeners.tell();
    },
    clear() {
      kept.clear();
      forget();
    },
  };
  return store;
}
