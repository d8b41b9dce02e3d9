import { type Attachment, wordsFor } from '@atelier/contract/attachments/attachments';
import { taskCalls } from '@atelier/contract/runs';
import { queueCalls } from '@atelier/contract/runs/queue';
import { useMutation } from '@tanstack/react-query';
import { ApiError, call, errorText } from '../../../lib/http.ts';
import { type PendingStore, pending } from '../attachments/pending.ts';
import { showQueued } from '../queue/queue.api.ts';
import { startingRun } from '../run-failure.ts';
import { showTask } from '../runs.api.ts';
import { isSendable } from './composer-rules.ts';
import type { DraftStore } from './drafts.ts';
import { failSend, isUnanswered, type Outbox, type Send, type SendDraft } from './outbox.ts';
import { drafts, outbox } from './run-stores.ts';

type Message = Pick<Send, 'key' | 'agentId' | 'inputText' | 'attachments' | 'whenBusy'> & { sessionId: string };
type Deliver = (message: Message) => Promise<unknown>;

/** Sends each session's messages one after another, and keeps their words until the server has them, whatever page is on the screen. */
export function createSender(drafts: DraftStore, outbox: Outbox, pending: PendingStore) {
  /** What was sent faster than the server answers, by session. */
  const lines = new Map<string, SendDraft[]>();

  /** The server has a message: what stands in the composer of it goes. */
  const confirm = (sessionId: string, { key, phase, inputText, attachments = [] }: Send) => {
    // Where it was seen already, its words have left the composer, and others may begin alike.
    if (!outbox.has(sessionId, key)) return;
    outbox.remove(sessionId, key);
    if (phase === 'sending' || phase === 'failed') return;
    drafts.take(sessionId, inputText);
    pending.removeSent(sessionId, idsOf(attachments));
  };

  /** Puts a message back into the composer. */
  const returnWords = (sessionId: string, { inputText, attachments = [] }: Send) => {
    // Nobody typed the sentence that only names the attachments.
    const isTyped = inputText !== wordsFor(attachments.map(({ name }) => name));
    drafts.write(sessionId, isTyped ? inputText : '');
    pending.giveBack(sessionId, attachments);
  };

  const fail = (sessionId: string, message: Send, error: unknown) => {
    if (!outbox.has(sessionId, message.key)) return;
    const text = drafts.read(sessionId);
    const isFree = text.trim() === '';
    const isStillThere = message.phase === 'queueing' && text.startsWith(message.inputText);
    if (isFree) returnWords(sessionId, message);
    const refused = !isUnanswered(statusOf(error));
    outbox.put(sessionId, failSend(message, sentence(error), refused, isFree || isStillThere));
  };

  const send = (sessionId: string, draft: SendDraft, deliver: Deliver): void => {
    const line = lines.get(sessionId);
    if (line !== undefined) return void line.push(draft);
    const later: SendDraft[] = [];
    lines.set(sessionId, later);
    const message = outbox.begin(sessionId, draft);
    deliver({ sessionId, ...message }).then(
      () => {
        confirm(sessionId, message);
        lines.delete(sessionId);
        const next = message.phase === 'queueing' ? later.map((one) => withoutSent(one, message)) : later;
        for (const one of next) if (isSendable(one.inputText)) send(sessionId, one, deliver);
      },
      (error: unknown) => {
        // The rest still stands in the composer.
        lines.delete(sessionId);
        fail(sessionId, message, error);
      },
    );
  };
  return { send, confirm, returnWords, isSending: (sessionId: string) => lines.has(sessionId) };
}

const idsOf = (attachments: readonly Attachment[]) => attachments.map(({ id }) => id);

/** What stands behind words that were sent, if they are still there, and what was attached since. */
const withoutSent = ({ inputText, attachments = [], ...draft }: SendDraft, sent: Send): SendDraft => ({
  ...draft,
  inputText: inputText.startsWith(sent.inputText) ? inputText.slice(sent.inputText.length).trimStart() : inputText,
  attachments: attachments.filter(({ id }) => !idsOf(sent.attachments ?? []).includes(id)),
});

const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : 0);

/** Somebody who could read that the sign-in has ended is signed in again. */
export const sentence = (error: unknown) => (statusOf(error) === 401 ? '' : errorText(error));

export const sender = createSender(drafts, outbox, pending);

/** Sends a message, or puts it behind what runs. The same key has the same outcome. Throws `ApiError`. */
export async function deliver({ sessionId, key, agentId, whenBusy, ...message }: Message) {
  const attachmentIds = message.attachments?.length ? idsOf(message.attachments) : undefined;
  const request = { params: { sessionId }, headers: { 'Idempotency-Key': key } };
  const body = { inputText: message.inputText, attachmentIds };
  const started = call(taskCalls.start, { ...request, body: { agentId, whenBusy, ...body } });
  return startingRun(
    started.catch((error: unknown) => {
      // Version 0.2 of the server refuses `whenBusy`, and has a call of its own for the queue.
      if (whenBusy === undefined || ![400, 409].includes(statusOf(error))) throw error;
      return call(queueCalls.add, { ...request, body });
    }),
  );
}

/** Sends a session's next message and shows what became of it. */
export function usePost() {
  const { mutateAsync } = useMutation({
    mutationFn: deliver,
    onSuccess: (answer) => ('task' in answer ? showTask(answer.task) : showQueued(answer.queued)),
    retry: false,
  });
  return (sessionId: string, draft: SendDraft) => sender.send(sessionId, draft, mutateAsync);
}
