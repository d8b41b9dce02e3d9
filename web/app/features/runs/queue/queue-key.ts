import type { KeyValue } from '../composer/kept.ts';

/** The message whose queueing is not confirmed yet, by session: sent again, even after a reload, it is queued once. */
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

/** Keeps attempts in the tab's storage; without one, as long as the page lives. */
export function createQueueKeys(storage: KeyValue | null, freshKey: () => string): QueueKeys {
  const memory = new Map<string, Attempt>();

  function read(sessionId: string): Attempt | undefined {
    try {
      const kept = storage?.getItem(nameOf(sessionId)) ?? null;
      return memory.get(sessionId) ?? (kept === null ? undefined : JSON.parse(kept));
    } catch {
      return undefined;
    }
  }

  function keep(write: (kept: KeyValue) => void) {
    try {
      if (storage) write(storage);
    } catch {
      // Full or forbidden: the page itself still remembers.
    }
  }

  return {
    begin(sessionId, inputText, attachmentIds = []) {
      const attached = attachmentIds.join();
      const before = read(sessionId);
      const isSame = before?.inputText === inputText && before.attached === attached;
      const attempt = isSame ? before : { key: freshKey(), inputText, attached };
      memory.set(sessionId, attempt);
      keep((kept) => kept.setItem(nameOf(sessionId), JSON.stringify(attempt)));
      return attempt.key;
    },
    unconfirmed: (sessionId) => read(sessionId)?.inputText,
    confirm(sessionId) {
      memory.delete(sessionId);
      keep((kept) => kept.removeItem(nameOf(sessionId)));
    },
  };
}
