import { ATTACHMENTS_MAX, type Attachment, attachment } from '@atelier/contract/attachments/attachments';
import { z } from 'zod';
import { createListeners } from '../../../ui/shared-value.ts';
import type { KeyValue } from '../composer/kept.ts';

/** A picture or file in the composer. */
export interface Pending {
  /** Our own; the server's is in `stored`. */
  id: string;
  name: string;
  kind: Attachment['kind'];
  /** How much has been sent, 0 to 1. */
  share: number;
  /** Why it can’t be sent. */
  error?: string | undefined;
  /** Once the server has it. */
  stored?: Attachment | undefined;
}

const PREFIX = 'attached:';
const NONE: readonly Pending[] = [];
const kept = z.array(attachment);

/**
 * What waits in the composers, one list per session. It outlives switching sessions; what the server has by then, reloading too. Without
 * storage it lasts as long as the page.
 */
export function createPending(storage: KeyValue | null) {
  const lists = new Map<string, readonly Pending[]>();
  const listeners = createListeners();
  const read = (sessionId: string): readonly Pending[] => {
    const known = lists.get(sessionId);
    if (known) return known;
    const stored = restored(storage, sessionId);
    lists.set(sessionId, stored);
    return stored;
  };
  const write = (sessionId: string, next: readonly Pending[]) => {
    lists.set(sessionId, next);
    keep(storage, sessionId, next);
    listeners.tell();
  };
  return {
    subscribe: listeners.subscribe,
    read,
    add: (sessionId: string, more: readonly Pending[]) => write(sessionId, [...read(sessionId), ...more]),
    change: (sessionId: string, id: string, part: Partial<Pending>) =>
      write(
        sessionId,
        read(sessionId).map((one) => (one.id === id ? { ...one, ...part } : one)),
      ),
    remove: (sessionId: string, id: string) =>
      write(
        sessionId,
        read(sessionId).filter((one) => one.id !== id),
      ),
    /** What the server has, for a message. */
    stored: (sessionId: string): Attachment[] => read(sessionId).flatMap(({ stored }) => stored ?? []),
    /** Removes what went with a message. */
    removeSent(sessionId: string, ids: readonly string[]): void {
      const rest = read(sessionId).filter(({ stored }) => stored === undefined || !ids.includes(stored.id));
      if (rest.length < read(sessionId).length) write(sessionId, rest);
    },
    /** Takes what the server has, for a message. */
    take(sessionId: string): Attachment[] {
      const taken = read(sessionId).flatMap(({ stored }) => stored ?? []);
      if (taken.length > 0) write(sessionId, NONE);
      return taken;
    },
    /** Puts back what a message could not take. */
    giveBack(sessionId: string, attachments: readonly Attachment[]): void {
      const here = read(sessionId);
      const missing = attachments.filter(({ id }) => !here.some(({ stored }) => stored?.id === id)).map(toPending);
      if (missing.length > 0) write(sessionId, [...missing, ...here].slice(0, ATTACHMENTS_MAX));
    },
    /** Forgets everything, when the person signs out. */
    clear(): void {
      for (const sessionId of [...lists.keys(), ...sessionsIn(storage)]) write(sessionId, NONE);
    },
  };
}

export const toPending = (stored: Attachment): Pending => ({
  id: stored.id,
  name: stored.name,
  kind: stored.kind,
  share: 1,
  stored,
});

function restored(storage: KeyValue | null, sessionId: string): readonly Pending[] {
  try {
    const found = kept.safeParse(JSON.parse(storage?.getItem(PREFIX + sessionId) ?? '[]'));
    return found.success && found.data.length > 0 ? found.data.map(toPending) : NONE;
  } catch {
    return NONE;
  }
}

function keep(storage: KeyValue | null, sessionId: string, list: readonly Pending[]): void {
  const stored = list.flatMap((one) => one.stored ?? []);
  try {
    if (stored.length === 0) storage?.removeItem(PREFIX + sessionId);
    else storage?.setItem(PREFIX + sessionId, JSON.stringify(stored));
  } catch {
    // Full or forbidden: the page itself still remembers.
  }
}

function sessionsIn(storage: KeyValue | null): string[] {
  try {
    const names = Array.from({ length: storage?.length ?? 0 }, (_, at) => storage?.key(at) ?? '');
    return names.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}
