import type { Task } from '@atelier/contract/runs';
import { createListeners, type KeyValue } from './kept.ts';

/** One message on its way to the server. */
export interface Send {
  /** Idempotency key: the server answers the same key with the same task. */
  key: string;
  agentId: string;
  inputText: string;
  /** The last task known when it was sent, so that its own task is recognised when it appears. */
  afterTaskId: string | null;
  /** `failed` stands in the timeline with a retry; `returned` means the words are back in the composer. */
  phase: 'sending' | 'failed' | 'returned';
  error: string;
  /** False where the server may have accepted it though no answer came. */
  refused: boolean;
}

export type SendDraft = Pick<Send, 'agentId' | 'inputText' | 'afterTaskId'>;

/** Starts a send. The same words after an unanswered attempt reuse its key, so they can't run twice. */
export function beginSend(previous: Send | undefined, draft: SendDraft, freshKey: string): Send {
  const repeats =
    previous !== undefined &&
    previous.phase !== 'sending' &&
    !previous.refused &&
    previous.inputText === draft.inputText &&
    previous.agentId === draft.agentId;
  // The anchor stays the first attempt's: its task may already stand behind it.
  if (repeats) return { ...previous, phase: 'sending', error: '' };
  return { ...draft, key: freshKey, phase: 'sending', error: '', refused: false };
}

/** Where a send stands after it failed: in the composer when that is free, otherwise in the timeline. */
export function failSend(send: Send, error: string, refused: boolean, composerIsFree: boolean): Send {
  return { ...send, phase: composerIsFree ? 'returned' : 'failed', error, refused };
}

/** True once the server's own task for this send is in the timeline. */
export function hasArrived(send: Send, tasks: readonly Task[]): boolean {
  const anchor = tasks.findIndex((t) => t.id === send.afterTaskId);
  if (anchor === -1 && send.afterTaskId !== null) return false;
  return tasks.slice(anchor + 1).some((t) => t.inputText === send.inputText && t.retryOf === undefined);
}

/** True where no answer, or one from beyond the application, leaves open whether the message was accepted. */
export const isUnanswered = (status: number) => status === 0 || status >= 500;

/** Reads a stored outbox. What was under way when the page went is taken as unanswered. */
export function parseOutbox(stored: string | null): Map<string, Send> {
  if (stored === null) return new Map();
  try {
    const sends = Object.entries<Send>(JSON.parse(stored));
    return new Map(sends.map(([id, send]) => [id, send.phase === 'sending' ? { ...send, phase: 'failed' } : send]));
  } catch {
    return new Map();
  }
}

/** The messages on their way, one a session; kept in the tab, so that a reload in mid-send loses no words. */
export interface Outbox {
  read(sessionId: string): Send | undefined;
  write(sessionId: string, send: Send | undefined): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
}

/** Opens the outbox kept in `storage`; without one it lasts as long as the page. */
export function createOutbox(storage: KeyValue | null, name = 'outbox'): Outbox {
  const listeners = createListeners();
  let sends = parseOutbox(storage?.getItem(name) ?? null);
  const keep = (next: Map<string, Send>) => {
    sends = next;
    try {
      storage?.setItem(name, JSON.stringify(Object.fromEntries(next)));
    } catch {
      // Full or forbidden: the page itself still remembers.
    }
    listeners.tell();
  };
  return {
    subscribe: listeners.subscribe,
    read: (sessionId) => sends.get(sessionId),
    write(sessionId, send) {
      const next = new Map(sends);
      if (send) next.set(sessionId, send);
      else next.delete(sessionId);
      keep(next);
    },
    clear: () => keep(new Map()),
  };
}
