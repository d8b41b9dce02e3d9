import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { Task } from '@atelier/contract/runs';
import { createListeners } from '../../../ui/shared-value.ts';
import type { KeyValue } from './kept.ts';

/** A message being sent. */
export interface Send {
  /** Idempotency key: the server returns the same task for the same key. */
  key: string;
  agentId: string;
  inputText: string;
  /** What goes with the words. */
  attachments?: readonly Attachment[];
  /** The last known task when it was sent, to recognise its own task when it appears. */
  afterTaskId: string | null;
  /** `failed` is shown in the timeline with a retry; `returned` means the words are back in the composer. */
  phase: 'sending' | 'failed' | 'returned';
  error: string;
  /** False when the server may have accepted it although no answer came. */
  refused: boolean;
}

export type SendDraft = Pick<Send, 'agentId' | 'inputText' | 'attachments' | 'afterTaskId'>;

/** Starts a send. The same words after an unanswered attempt reuse its key, so they can't run twice. */
export function beginSend(previous: Send | undefined, draft: SendDraft, freshKey: string): Send {
  const repeats =
    previous !== undefined &&
    previous.phase !== 'sending' &&
    !previous.refused &&
    previous.inputText === draft.inputText &&
    idsOf(previous) === idsOf(draft) &&
    previous.agentId === draft.agentId;
  // Keep the first attempt's anchor: its task may already exist after it.
  if (repeats) return { ...previous, phase: 'sending', error: '' };
  return { ...draft, key: freshKey, phase: 'sending', error: '', refused: false };
}

const idsOf = ({ attachments = [] }: Pick<Send, 'attachments'>) => attachments.map(({ id }) => id).join();

/** Where a failed send goes: into the composer if that is free, otherwise into the timeline. */
export function failSend(send: Send, error: string, refused: boolean, composerIsFree: boolean): Send {
  return { ...send, phase: composerIsFree ? 'returned' : 'failed', error, refused };
}

/** True once the server's own task for this send is in the timeline. */
export function hasArrived(send: Send, tasks: readonly Task[]): boolean {
  const anchor = tasks.findIndex((t) => t.id === send.afterTaskId);
  if (anchor === -1 && send.afterTaskId !== null) return false;
  return tasks.slice(anchor + 1).some((t) => t.inputText === send.inputText && t.retryOf === undefined);
}

/** True when no answer, or an answer from outside the application, leaves open whether the message was accepted. */
export const isUnanswered = (status: number) => status === 0 || status >= 500;

/** Parses a stored outbox. A send interrupted by leaving the page counts as unanswered. */
export function parseOutbox(stored: string | null): Map<string, Send> {
  if (stored === null) return new Map();
  try {
    const sends = Object.entries<Send>(JSON.parse(stored));
    return new Map(sends.map(([id, send]) => [id, send.phase === 'sending' ? { ...send, phase: 'failed' } : send]));
  } catch {
    return new Map();
  }
}

/** Messages being sent, one per session; kept in the tab, so a reload in the middle loses no words. */
export interface Outbox {
  read(sessionId: string): Send | undefined;
  write(sessionId: string, send: Send | undefined): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
}

/** Opens the outbox in `storage`; without storage it lasts as long as the page. */
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
