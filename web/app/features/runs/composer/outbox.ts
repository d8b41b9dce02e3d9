import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { Task } from '@atelier/contract/runs';
import { attempt, type Words } from '../../../lib/typed/words.ts';
import { createListeners } from '../../../ui/shared-value.ts';

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

/** Parses a stored message. One interrupted by leaving the page counts as unanswered. */
export function parseSend(stored: string | null): Send | undefined {
  const send: Send | undefined = attempt(() => JSON.parse(stored ?? '')) ?? undefined;
  return send?.phase === 'sending' ? { ...send, phase: 'failed' } : send;
}

/** Messages being sent, one per session; kept in the tab, so a reload in the middle loses no words. */
export interface Outbox {
  read(sessionId: string): Send | undefined;
  write(sessionId: string, send: Send | undefined): void;
  /** Reads everything again: other words than before are kept. */
  reread(): void;
  subscribe(listener: () => void): () => void;
}

/** Opens the outbox in `words`. */
export function createOutbox(words: Words): Outbox {
  const listeners = createListeners();
  const sends = new Map<string, Send | undefined>();
  const nameOf = (sessionId: string) => `outgoing:${sessionId}`;
  return {
    subscribe: listeners.subscribe,
    read(sessionId) {
      if (!sends.has(sessionId)) sends.set(sessionId, parseSend(words.read(nameOf(sessionId))));
      return sends.get(sessionId);
    },
    write(sessionId, send) {
      sends.set(sessionId, send);
      words.write(nameOf(sessionId), send === undefined ? null : JSON.stringify(send));
      listeners.tell();
    },
    reread() {
      sends.clear();
      listeners.tell();
    },
  };
}
