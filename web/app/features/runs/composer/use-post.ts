import { wordsFor } from '@atelier/contract/attachments/attachments';
import { ApiError } from '../../../lib/http.ts';
import { pending } from '../attachments/pending.ts';
import { useSendMessage } from '../runs.api.ts';
import { beginSend, failSend, isUnanswered, type Send, type SendDraft } from './outbox.ts';
import { drafts, outbox } from './run-stores.ts';

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

/** What stands in the composer; undefined when nothing does. */
export function typed(sessionId: string): string | undefined {
  const text = drafts.read(sessionId);
  return text.trim() === '' ? undefined : text;
}

/** Puts a message back into the composer. */
export function returnWords(sessionId: string, { inputText, attachments = [] }: Send): void {
  // Nobody typed the sentence that only names the attachments.
  const isTyped = inputText !== wordsFor(attachments.map(({ name }) => name));
  drafts.write(sessionId, isTyped ? inputText : '');
  pending.giveBack(sessionId, attachments);
}

const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : 0);

/** Somebody who could read that the sign-in has ended is signed in again. */
export const sentence = (error: Error) => (statusOf(error) === 401 ? '' : error.message);
