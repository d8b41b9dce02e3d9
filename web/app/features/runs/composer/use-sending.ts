import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { QueuedMessage, Task } from '@atelier/contract/runs';
import type { Session } from '@atelier/contract/sessions';
import { useCallback, useEffect, useState } from 'react';
import { useLatest } from '../../../ui/list/use-latest.ts';
import { pending } from '../attachments/pending.ts';
import { runFailure } from '../run-failure.ts';
import { failSend, hasArrived, isOnItsWay, type Send, type SendDraft } from './outbox.ts';
import { drafts, outbox, useOutgoing } from './run-stores.ts';
import { sender, sentence, usePost } from './sender.ts';

const UNKNOWN_FATE = 'We can’t tell whether this message arrived. Send it again: it won’t be answered twice.';

export interface Timeline {
  tasks: readonly Task[] | undefined;
  /** Why the tasks could not be loaded so far. */
  problem: Error | null;
  /** The messages that wait. */
  queue: readonly QueuedMessage[];
  /** What is sent now waits for the running answer. */
  queues: boolean;
}

/** Sends one session's messages. */
export function useSending(session: Session, { tasks, problem, queue, queues }: Timeline) {
  const outgoing = useOutgoing(session.id);
  const deliver = usePost();
  // The words that wait for the timeline.
  const [wanted, setWanted] = useState<string>();
  const [unsent, setUnsent] = useState<string>();
  useReconciled(session.id, tasks, queue);

  const post = (inputText: string, attachments: readonly Attachment[] = [], more: Partial<SendDraft> = {}) => {
    const afterTaskId = tasks?.at(-1)?.id ?? null;
    deliver(session.id, { agentId: session.agentId, inputText, attachments, afterTaskId, ...more });
  };
  const send = (inputText: string) => {
    if (inputText.trim() === '') return;
    // The timeline must be known first; the words wait in the composer until it is.
    if (tasks === undefined) return setWanted(inputText);
    setWanted(undefined);
    setUnsent(undefined);
    // What waits stays in the composer until the server has it.
    if (queues || sender.isSending(session.id)) {
      return post(inputText, pending.stored(session.id), { whenBusy: 'queue', phase: 'queueing' });
    }
    drafts.write(session.id, '');
    post(inputText, pending.take(session.id));
  };
  const sendWanted = useLatest(() => {
    const text = drafts.read(session.id);
    if (tasks !== undefined) return send(text.trim() === '' ? (wanted ?? '') : text);
    // Sent automatically once the server is back, it might come after the person has changed their mind.
    setWanted(undefined);
    if (problem !== null) setUnsent(sentence(runFailure(problem)));
  });
  const isDecided = wanted !== undefined && (tasks !== undefined || problem !== null);
  useEffect(() => {
    if (isDecided) sendWanted.current();
  }, [isDecided, sendWanted]);
  const mayWait: Partial<SendDraft> = queues ? { whenBusy: 'queue' } : {};
  const isShown = (one: Send) => (one.phase === 'sending' || one.phase === 'failed') && !hasArrived(one, tasks ?? []);
  const returned = outgoing.findLast(({ phase }) => phase === 'returned');
  return {
    send,
    /** Sends words that were not typed; what stands in the composer stays there. */
    say: (inputText: string) => post(inputText, [], mayWait),
    again: (failed: Send) => post(failed.inputText, failed.attachments, mayWait),
    dismiss: ({ key }: Send) => outbox.remove(session.id, key),
    /** What the timeline shows behind its tasks. */
    shown: outgoing.filter(isShown),
    /** Why the words are still in the composer. */
    error: returned?.error ?? (tasks === undefined ? unsent : undefined),
    sending: outgoing.some(isOnItsWay) || wanted !== undefined,
  };
}

/** The same function at each rendering, which calls the latest one. */
export function useSteady(act: () => void): () => void {
  const latest = useLatest(act);
  return useCallback(() => latest.current(), [latest]);
}

/** Resolves sends without an answer, once the timeline or the queue shows what happened. */
function useReconciled(sessionId: string, tasks: readonly Task[] | undefined, queue: readonly QueuedMessage[]) {
  useEffect(() => {
    for (const message of tasks === undefined ? [] : outbox.read(sessionId)) {
      if (message.phase === 'sending') continue;
      if (hasArrived(message, tasks ?? [], queue)) sender.confirm(sessionId, message);
      else if (isInterrupted(message) && drafts.read(sessionId) === '') {
        // Interrupted by a reload: it stays in the composer until it is sent again.
        sender.returnWords(sessionId, message);
        outbox.put(sessionId, failSend(message, UNKNOWN_FATE, false, true));
      }
    }
  }, [sessionId, tasks, queue]);
}

const isInterrupted = ({ phase, error, refused }: Send) => phase === 'failed' && error === '' && !refused;
