import { attempt, type Words } from '../../../lib/typed/words.ts';

/**
 * The message whose queueing is not confirmed yet, by session: sent again, even after a reload, it is queued once. The session that a first
 * message makes has a key in the same way, with its agent as the words.
 */
export interface QueueKeys {
  /** The idempotency key of this message: that of the unconfirmed attempt if it had the same words and attachments, or a fresh one. */
  begin(sessionId: string, inputText: string, attachmentIds?: readonly string[]): string;
  /** The words that may have arrived already. */
  unconfirmed(sessionId: string): string | undefined;
  confirm(sessionId: string): void;
}

interface Attempt {
  key: string;
  inputText: string;
  /** The ids of what goes along. */
  attached: string;
}

const nameOf = (sessionId: string) => `queueing:${sessionId}`;

/** Keeps attempts in `words`. */
export function createQueueKeys(words: Words, freshKey: () => string): QueueKeys {
  const read = (sessionId: string): Attempt | undefined =>
    attempt(() => JSON.parse(words.read(nameOf(sessionId)) ?? 'null')) ?? undefined;
  return {
    begin(sessionId, inputText, attachmentIds = []) {
      const attached = attachmentIds.join();
      const before = read(sessionId);
      const isSame = before?.inputText === inputText && before.attached === attached;
      const begun = isSame ? before : { key: freshKey(), inputText, attached };
      words.write(nameOf(sessionId), JSON.stringify(begun));
      return begun.key;
    },
    unconfirmed: (sessionId) => read(sessionId)?.inputText,
    confirm: (sessionId) => words.write(nameOf(sessionId), null),
  };
}
