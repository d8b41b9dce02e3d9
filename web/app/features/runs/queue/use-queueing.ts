import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { QueuedMessage } from '@atelier/contract/runs/queue';
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorText } from '../../../lib/http.ts';
import { typed } from '../../../lib/typed/typed.ts';
import { pending as attached } from '../attachments/pending.ts';
import { isSendable } from '../composer/composer-rules.ts';
import { isUnanswered } from '../composer/outbox.ts';
import { drafts } from '../composer/run-stores.ts';
import { removedHere, useQueue, useQueueMessage } from './queue.api.ts';
import { changeOf } from './queue-change.ts';
import { createQueueKeys } from './queue-key.ts';

const queueKeys = createQueueKeys(typed.own, () => crypto.randomUUID());
/** Read out at once; removed afterwards, so that nobody meets it twice. */
const SAID_MS = 2_000;
const NONE: readonly QueuedMessage[] = [];

/** A message as it stood in the composer. */
interface Words {
  inputText: string;
  attachments: readonly Attachment[];
}

/** A session's waiting messages, and how to add one. What is typed and attached stays in the composer until the server has it. */
export function useQueueing(sessionId: string) {
  const { data: queue = NONE, dataUpdatedAt } = useQueue(sessionId);
  const request = useQueueMessage(sessionId);
  const [error, setError] = useState<string>();
  useReconciled(sessionId, queue);
  const pending = useRef(false);
  const next = useRef<Words[]>([]);
  const send = (words: Words) => {
    // Sent faster than the server answers: as it stood at that moment, it follows the one before.
    if (pending.current) {
      next.current.push(words);
      return;
    }
    pending.current = true;
    setError(undefined);
    const { inputText } = words;
    const attachmentIds = words.attachments.map(({ id }) => id);
    const key = queueKeys.begin(sessionId, inputText, attachmentIds);
    // `mutateAsync`, because the following must run even if the person has switched sessions.
    request.mutateAsync({ key, inputText, attachmentIds }).then(
      () => {
        // Where the queue has shown it already, its words have left the composer, and others may begin alike.
        if (queueKeys.unconfirmed(sessionId) !== undefined) drafts.take(sessionId, inputText);
        queueKeys.confirm(sessionId);
        attached.removeSent(sessionId, attachmentIds);
        pending.current = false;
        next.current = next.current.map((later) => withoutSent(later, words));
        const following = next.current.shift();
        if (following !== undefined && isSendable(following.inputText)) send(following);
      },
      (failure: unknown) => {
        pending.current = false;
        next.current = [];
        if (failure instanceof ApiError && !isUnanswered(failure.status)) queueKeys.confirm(sessionId);
        setError(errorText(failure));
      },
    );
  };
  const add = (inputText: string) => send({ inputText, attachments: attached.stored(sessionId) });
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

/** What stands behind words that were sent, if they are still there, and what was attached since. */
const withoutSent = ({ inputText, attachments }: Words, sent: Words): Words => ({
  inputText: inputText.startsWith(sent.inputText) ? inputText.slice(sent.inputText.length).trimStart() : inputText,
  attachments: attachments.filter(({ id }) => !sent.attachments.some((one) => one.id === id)),
});

/** After a reload in the middle: words that stand in the queue need not stand in the composer. */
function useReconciled(sessionId: string, queue: readonly QueuedMessage[]) {
  useEffect(() => {
    const words = queueKeys.unconfirmed(sessionId);
    const arrived = queue.find(({ inputText }) => inputText === words);
    if (words === undefined || arrived === undefined) return;
    queueKeys.confirm(sessionId);
    drafts.take(sessionId, words);
    attached.removeSent(
      sessionId,
      (arrived.attachments ?? []).map(({ id }) => id),
    );
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
