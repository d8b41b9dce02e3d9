import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { Task } from '@atelier/contract/runs';
import type { Session } from '@atelier/contract/sessions';
import { useCallback, useEffect, useState } from 'react';
import { useLatest } from '../../../ui/list/use-latest.ts';
import { pending } from '../attachments/pending.ts';
import { runFailure } from '../run-failure.ts';
import { failSend, hasArrived, type Send } from './outbox.ts';
import { drafts, outbox, useOutgoing } from './run-stores.ts';
import { returnWords, sentence, typed, usePost } from './use-post.ts';

const UNKNOWN_FATE = 'We can’t tell whether this message arrived. Send it again: it won’t be answered twice.';

export interface Timeline {
  tasks: readonly Task[] | undefined;
  /** Why the tasks could not be loaded so far. */
  problem: Error | null;
}

/** Sends one session's messages. */
export function useSending(session: Session, { tasks, problem }: Timeline) {
  const outgoing = useOutgoing(session.id);
  const deliver = usePost();
  // The words that wait for the timeline.
  const [queued, setQueued] = useState<string>();
  const [unsent, setUnsent] = useState<string>();
  useReconciled(session.id, tasks);

  const post = (inputText: string, loaded: readonly Task[], attachments: readonly Attachment[] = []) =>
    deliver(session.id, {
      agentId: session.agentId,
      inputText,
      attachments,
      afterTaskId: loaded.at(-1)?.id ?? null,
    });
  const send = (inputText: string) => {
    if (inputText.trim() === '') return;
    // The timeline must be known first; the words wait in the composer until it is.
    if (tasks === undefined) return setQueued(inputText);
    setQueued(undefined);
    setUnsent(undefined);
    drafts.write(session.id, '');
    post(inputText, tasks, pending.take(session.id));
  };
  useWhen(queued !== undefined && tasks !== undefined, () => send(typed(session.id) ?? queued ?? ''));
  // Sent automatically once the server is back, it might come after the person has changed their mind.
  useWhen(queued !== undefined && tasks === undefined && problem !== null, () => {
    setQueued(undefined);
    setUnsent(sentence(runFailure(problem)));
  });
  const say = (inputText: string) => tasks && post(inputText, tasks);
  const again = (failed: Send) => tasks && post(failed.inputText, tasks, failed.attachments);
  const shown = outgoing && tasks && outgoing.phase !== 'returned' && !hasArrived(outgoing, tasks);
  return {
    send,
    /** Sends words that were not typed; what stands in the composer stays there. */
    say,
    again,
    dismiss: () => outbox.write(session.id, undefined),
    outgoing,
    shown: shown ? outgoing : undefined,
    /** Why the words are still in the composer. */
    error: outgoing?.phase === 'returned' ? outgoing.error : tasks === undefined ? unsent : undefined,
    sending: outgoing?.phase === 'sending' || queued !== undefined,
  };
}

/** The same function at each rendering, which calls the latest one. */
export function useSteady(act: () => void): () => void {
  const latest = useLatest(act);
  return useCallback(() => latest.current(), [latest]);
}

function useWhen(ready: boolean, act: () => void) {
  const latest = useLatest(act);
  useEffect(() => {
    if (ready) latest.current();
  }, [ready, latest]);
}

/** Resolves a send without an answer, once the timeline shows what happened. */
function useReconciled(sessionId: string, tasks: readonly Task[] | undefined) {
  useEffect(() => {
    const message = outbox.read(sessionId);
    if (!message || !tasks || message.phase === 'sending') return;
    if (hasArrived(message, tasks)) {
      if (drafts.read(sessionId) === message.inputText) drafts.write(sessionId, '');
      outbox.write(sessionId, undefined);
    } else if (isInterrupted(message) && drafts.read(sessionId) === '') {
      // Interrupted by a reload: it stays in the composer until it is sent again.
      returnWords(sessionId, message);
      outbox.write(sessionId, failSend(message, UNKNOWN_FATE, false, true));
    }
  }, [sessionId, tasks]);
}

const isInterrupted = ({ phase, error, refused }: Send) => phase === 'failed' && error === '' && !refused;
