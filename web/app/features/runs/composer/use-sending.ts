import { type Attachment, wordsFor } from '@atelier/contract/attachments/attachments';
import type { Task } from '@atelier/contract/runs';
import type { Session } from '@atelier/contract/sessions';
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../../lib/http.ts';
import { useLatest } from '../../../ui/list/use-latest.ts';
import { pending } from '../attachments/pending-store.ts';
import { runFailure } from '../run-failure.ts';
import { useSendMessage } from '../runs.api.ts';
import { beginSend, failSend, hasArrived, isUnanswered, type Send, type SendDraft } from './outbox.ts';
import { drafts, outbox, useOutgoing } from './run-stores.ts';

const UNKNOWN_FATE = 'We can’t tell whether this message arrived. Send it again: it won’t be answered twice.';

export interface Timeline {
  tasks: readonly Task[] | undefined;
  /** Why the tasks could not be loaded so far. */
  problem: Error | null;
}

/** Sends a message, and restores the words when the server did not take them, even if the person has switched sessions. */
export function usePost() {
  const request = useSendMessage();
  return (sessionId: string, draft: SendDraft) => {
    const message = beginSend(outbox.read(sessionId), draft, crypto.randomUUID());
    outbox.write(sessionId, message);
    request.mutateAsync({ sessionId, ...message }).then(
      () => outbox.write(sessionId, undefined),
      (error) => {
        const free = typed(sessionId) === undefined;
        const failed = failSend(message, sentence(error), !isUnanswered(statusOf(error)), free);
        if (free) returnWords(sessionId, message);
        outbox.write(sessionId, failed);
      },
    );
  };
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

/** What stands in the composer; undefined when nothing does. */
function typed(sessionId: string): string | undefined {
  const text = drafts.read(sessionId);
  return text.trim() === '' ? undefined : text;
}

/** Puts a message back into the composer. */
function returnWords(sessionId: string, { inputText, attachments = [] }: Send): void {
  // Nobody typed the sentence that only names the attachments.
  const isTyped = inputText !== wordsFor(attachments.map(({ name }) => name));
  drafts.write(sessionId, isTyped ? inputText : '');
  pending.giveBack(sessionId, attachments);
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

const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : 0);

/** Somebody who could read that the sign-in has ended is signed in again. */
const sentence = (error: Error) => (statusOf(error) === 401 ? '' : error.message);
