import { useSyncExternalStore } from 'react';
import { createDraftStore } from './drafts.ts';
import { tabStorage } from './kept.ts';
import { createOutbox } from './outbox.ts';

const OWNER = 'typed-by';

export const drafts = createDraftStore(tabStorage());
export const outbox = createOutbox(tabStorage());

/** What is typed in a session and not sent. */
export function useDraft(sessionId: string): [text: string, write: (text: string) => void] {
  const text = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.read(sessionId),
    () => '',
  );
  return [text, (next) => drafts.write(sessionId, next)];
}

/** The message of a session that is on its way, or could not be sent. */
export const useOutgoing = (sessionId: string) =>
  useSyncExternalStore(
    outbox.subscribe,
    () => outbox.read(sessionId),
    () => undefined,
  );

/** Leaves nothing of one person's words to the next who signs in at this tab. */
export function forgetTyped(): void {
  drafts.clear();
  outbox.clear();
}

let claimedBy = '';

/** Says whose words these are; the words of anybody else who used this tab are forgotten first. */
export function claimTyped(uid: string): void {
  if (uid === claimedBy) return;
  claimedBy = uid;
  const storage = tabStorage();
  try {
    if (storage?.getItem(OWNER) === uid) return;
    forgetTyped();
    storage?.setItem(OWNER, uid);
  } catch {
    // Nothing is stored then, so nothing is left of anybody.
  }
}
