import {
  ATTACHMENTS_MAX,
  type Attachment,
  attachment,
  attachmentKind,
} from '@atelier/contract/attachments/attachments';
import { z } from 'zod';
import { typed } from '../../../lib/typed/typed.ts';
import { attempt, type Words } from '../../../lib/typed/words.ts';
import { createListeners } from '../../../ui/shared-value.ts';

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
const storedList = z.array(
  z.object({ id: z.string(), name: z.string(), kind: attachmentKind, stored: attachment.optional() }),
);

export type PendingStore = ReturnType<typeof createPending>;

/** What waits in the composers, one list per session. It outlives switching sessions and reloading; what failed doesn't. */
export function createPending(words: Words) {
  const lists = new Map<string, readonly Pending[]>();
  const listeners = createListeners();
  const read = (sessionId: string): readonly Pending[] => {
    const list = lists.get(sessionId);
    if (list) return list;
    const stored = restored(words.read(PREFIX + sessionId));
    lists.set(sessionId, stored);
    return stored;
  };
  const write = (sessionId: string, next: readonly Pending[]) => {
    lists.set(sessionId, next);
    words.write(PREFIX + sessionId, serialized(next));
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
      const files = read(sessionId).flatMap(({ stored }) => stored ?? []);
      if (files.length > 0) write(sessionId, NONE);
      return files;
    },
    /** Puts back what a message could not take. */
    giveBack(sessionId: string, attachments: readonly Attachment[]): void {
      const here = read(sessionId);
      const missing = attachments.filter(({ id }) => !here.some(({ stored }) => stored?.id === id)).map(toPending);
      if (missing.length > 0) write(sessionId, [...missing, ...here].slice(0, ATTACHMENTS_MAX));
    },
    /** Reads everything again: other words than before are kept. */
    reread(): void {
      lists.clear();
      listeners.tell();
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

function restored(text: string | null): readonly Pending[] {
  const list = storedList.safeParse(attempt(() => JSON.parse(text ?? '[]')));
  if (!list.success || list.data.length === 0) return NONE;
  return list.data.map((one) => ({ ...one, share: one.stored ? 1 : 0 }));
}

function serialized(list: readonly Pending[]): string | null {
  const lasting = list.filter(({ error }) => error === undefined);
  const entries = lasting.map(({ id, name, kind, stored }) => ({ id, name, kind, stored }));
  return entries.length === 0 ? null : JSON.stringify(entries);
}

/** What waits in the composers of this tab. */
export const pending = createPending(typed.own);
typed.subscribe(pending.reread);
