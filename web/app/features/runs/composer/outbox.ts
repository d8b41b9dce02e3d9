import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { QueuedMessage, Task } from '@atelier/contract/runs';
import { freshId } from '../../../lib/typed/fresh-id.ts';
import { attempt, type KeyValue, type Words } from '../../../lib/typed/words.ts';
import { createListeners } from '../../../ui/shared-value.ts';

/** A message that the server has not confirmed. */
export interface Send {
  /** Idempotency key: the server returns the same task for the same key. */
  key: string;
  agentId: string;
  inputText: string;
  /** What goes with the words. */
  attachments?: readonly Attachment[];
  /** The last known task when it was sent, to recognise its own task when it appears. */
  afterTaskId: string | null;
  /** It may wait for the running answer. */
  whenBusy?: 'queue' | undefined;
  /**
   * Where its words are. On its way, `sending` is shown in the timeline, and `queueing` keeps them in the composer. Afterwards `failed` is shown
   * in the timeline with a retry, and `returned` has them in the composer.
   */
  phase: 'sending' | 'queueing' | 'failed' | 'returned';
  error: string;
  /** False when the server may have accepted it although no answer came. */
  refused: boolean;
}

export type SendDraft = Pick<Send, 'agentId' | 'inputText' | 'attachments' | 'afterTaskId' | 'whenBusy'> & {
  phase?: 'sending' | 'queueing';
};

export const isOnItsWay = ({ phase }: Send) => phase === 'sending' || phase === 'queueing';

/** Starts a send. The same words after an unanswered attempt reuse its key, so they can't run twice. */
export function beginSend(earlier: readonly Send[], draft: SendDraft, freshKey: string): Send {
  const attempted = earlier.find(
    (send) =>
      !isOnItsWay(send) &&
      !send.refused &&
      send.inputText === draft.inputText &&
      idsOf(send) === idsOf(draft) &&
      ['', draft.agentId].includes(send.agentId),
  );
  const begun: Send = { key: freshKey, phase: 'sending', ...draft, error: '', refused: false };
  if (attempted === undefined) return begun;
  // Keep the first attempt's anchor: its task may already exist after it.
  const { key, afterTaskId, whenBusy = draft.whenBusy } = attempted;
  return { ...begun, key, afterTaskId, whenBusy };
}

const idsOf = ({ attachments = [] }: Pick<Send, 'attachments'>) => attachments.map(({ id }) => id).join();

/** Where a failed send goes: into the composer if that is free or has its words already, otherwise into the timeline. */
export function failSend(send: Send, error: string, refused: boolean, isInComposer: boolean): Send {
  return { ...send, phase: isInComposer ? 'returned' : 'failed', error, refused };
}

/** True once the server's own task for this send is in the timeline, or its message in the queue. */
export function hasArrived(send: Send, tasks: readonly Task[], queue: readonly QueuedMessage[] = []): boolean {
  if (send.whenBusy && queue.some(({ inputText }) => inputText === send.inputText)) return true;
  const anchor = tasks.findIndex((t) => t.id === send.afterTaskId);
  if (anchor === -1 && send.afterTaskId !== null) return false;
  return tasks.slice(anchor + 1).some((t) => t.inputText === send.inputText && t.retryOf === undefined);
}

/** True when no answer, or an answer from outside the application, leaves open whether the message was accepted. */
export const isUnanswered = (status: number) => status === 0 || status >= 500;

/** Messages being sent, by session; kept in the tab, so a reload in the middle loses no words. */
export type Outbox = ReturnType<typeof createOutbox>;

const nameOf = (sessionId: string) => `outbox:${sessionId}`;
const NONE: readonly Send[] = [];

/** Opens the outbox in `words`. */
export function createOutbox(words: Words, tab: KeyValue | null = null, freshKey = freshId) {
  const listeners = createListeners();
  const sends = new Map<string, readonly Send[]>();
  const write = (sessionId: string, next: readonly Send[]) => {
    sends.set(sessionId, next);
    words.write(nameOf(sessionId), next.length === 0 ? null : JSON.stringify(next));
  };
  const read = (sessionId: string): readonly Send[] => {
    const send = sends.get(sessionId);
    if (send !== undefined) return send;
    const stored = parse<Send[]>(words.read(nameOf(sessionId))) ?? takeFormer(tab, sessionId);
    write(sessionId, stored.length === 0 ? NONE : stored.map(interrupted));
    return read(sessionId);
  };
  const others = (sessionId: string, key: string) => read(sessionId).filter((send) => send.key !== key);
  const change = (sessionId: string, next: readonly Send[]) => {
    write(sessionId, next);
    listeners.tell();
  };
  return {
    subscribe: listeners.subscribe,
    read,
    has: (sessionId: string, key: string) => read(sessionId).some((send) => send.key === key),
    begin(sessionId: string, draft: SendDraft): Send {
      const send = beginSend(read(sessionId), draft, freshKey());
      // What was returned to the composer is sent with this, or was given up.
      const rest = others(sessionId, send.key).filter(({ phase }) => phase !== 'returned');
      change(sessionId, [...rest, send]);
      return send;
    },
    put: (sessionId: string, send: Send) => change(sessionId, [...others(sessionId, send.key), send]),
    remove: (sessionId: string, key: string) => change(sessionId, others(sessionId, key)),
    /** Reads everything again: other words than before are kept. */
    reread() {
      sends.clear();
      listeners.tell();
    },
  };
}

const parse = <T>(text: string | null): T | undefined => attempt(() => JSON.parse(text ?? '')) ?? undefined;

/** A message interrupted by leaving the page counts as unanswered. */
const interrupted = (send: Send): Send =>
  isOnItsWay(send) ? { ...send, phase: send.phase === 'sending' ? 'failed' : 'returned' } : send;

/** What version 0.2 kept for a session, in `tab` itself; it is taken out. */
function takeFormer(tab: KeyValue | null, sessionId: string): Send[] {
  const take = <T>(name: string): T | undefined => {
    const text = attempt(() => tab?.getItem(name)) ?? null;
    attempt(() => tab?.removeItem(name));
    return parse<T>(text);
  };
  const sends = new Map(Object.entries(take<Record<string, Send>>('outbox') ?? {}));
  const outgoing = sends.get(sessionId);
  sends.delete(sessionId);
  if (sends.size > 0) attempt(() => tab?.setItem('outbox', JSON.stringify(Object.fromEntries(sends))));
  const { key, inputText = '', attached = '' } = take<Record<string, string>>(`queueing:${sessionId}`) ?? {};
  // Of attachments only the ids are known. No task has this id: its own can't be told from earlier ones with the same words.
  const attachments = attached.split(',').flatMap((id) => (id === '' ? [] : [{ id } as Attachment]));
  const queueing = { agentId: '', inputText, attachments, afterTaskId: '', whenBusy: 'queue' as const };
  const queued = key === undefined ? [] : [failSend(beginSend([], queueing, key), '', false, true)];
  return [...(outgoing === undefined ? [] : [outgoing]), ...queued];
}
