import type { QueuedMessage } from '@atelier/contract/composer/queue';
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorText } from '../../../lib/http.ts';
import { isSendable } from '../composer/composer-rules.ts';
import { tabStorage } from '../composer/kept.ts';
import { isUnanswered } from '../composer/outbox.ts';
import { drafts } from '../composer/run-stores.ts';
import { removedHere, useQueue, useQueueMessage } from './queue.api.ts';
import { changeOf } from './queue-change.ts';
import { createQueueKeys } from './queue-key.ts';

const queueKeys = createQueueKeys(tabStorage(), () => crypto.randomUUID());
/** Read out at once; removed afterwards, so that nobody meets it twice. */
const SAID_MS = 2_000;
const NONE: readonly QueuedMessage[] = [];

/** A session's waiting messages, and how to add one. What is typed stays in the composer until the server has it. */
export function useQueueing(sessionId: string) {
  const { data: queue = NONE, dataUpdatedAt } = useQueue(sessionId);
  const request = useQueueMessage(sessionId);
  const [error, setError] = useState<string>();
  useReconciled(sessionId, queue);
  const pending = useRef(false);
  const next = useRef<string[]>([]);
  const add = (inputText: string) => {
    // Sent faster than the server answers: as it stood at that moment, it follows the one before.
    if (pending.current) {
      next.current.push(inputText);
      return;
    }
    pending.current = true;
    setError(undefined);
    const key = queueKeys.begin(sessionId, inputText);
    // `mutateAsync`, because the following must run even if the person has switched sessions.
    request.mutateAsync({ key, inputText }).then(
      () => {
        queueKeys.confirm(sessionId);
        drafts.take(sessionId, inputText);
        pending.current = false;
        next.current = next.current.map((text) => withoutSent(text, inputText));
        const following = next.current.shift();
        if (following !== undefined && isSendable(following)) add(following);
      },
      (failure: unknown) => {
        pending.current = false;
        next.current = [];
        if (failure instanceof ApiError && !isUnanswered(failure.status)) queueKeys.confirm(sessionId);
        setError(errorText(failure));
      },
    );
  };
  return {
    queue,
    add,
    adding: request.isPending,
    /** Why the words are still in the composer. */
    error,
    /** Something will be sent by itself. */
    goesOn: queue.some(({ state }) => state !== 'paused'),
    announcement: useAnnouncement(queue, dataUpdatedAt > 0),
  };
}

/** What stands behind words that were sent, if they are still there. */
const withoutSent = (text: string, sent: string) =>
  text.startsWith(sent) ? text.slice(sent.length).trimStart() : text;

/** After a reload in the middle: words that stand in the queue need not stand in the composer. */
function useReconciled(sessionId: string, queue: readonly QueuedMessage[]) {
  useEffect(() => {
    const words = queueKeys.unconfirmed(sessionId);
    if (words === undefined || !queue.some(({ inputText }) => inputText === words)) return;
    queueKeys.confirm(sessionId);
    drafts.take(sessionId, words);
  }, [sessionId, queue]);
}

/** The announcement for screen readers when the queue changes; empty when it is first shown. */
function useAnnouncement(queue: readonly QueuedMessage[], isKnown: boolean): string {
  const [said, say] = useState('');
  const before = useRef<readonly QueuedMessage[]>(undefined);
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => say(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  useEffect(() => {
    if (!isKnown) return;
    if (before.current !== undefined) {
      const change = changeOf(before.current, queue, removedHere);
      if (change !== '') say(change);
    }
    before.current = queue;
  }, [queue, isKnown]);
  return said;
}
