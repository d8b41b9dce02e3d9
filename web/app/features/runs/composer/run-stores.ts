import { useSyncExternalStore } from 'react';
import { createDraftStore } from './drafts.ts';
import { tabStorage } from './kept.ts';
import { createOutbox } from './outbox.ts';

const OWNER = 'typed-by';

export const drafts = createDraftStore(tabStorage());
export const outbox = createOutbox(tabStorage());

/** The unsent text of a session. */
export function useDraft(sessionId: string): [text: string, write: (text: string) => void] {
  const text = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.read(sessionId),
    () => '',
  );
  return [text, (next) => drafts.write(sessionId, next)];
}

/** The message of a session that is being sent, or could not be sent. */
export const useOutgoing = (sessionId: string) =>
  useSyncExternalStore(
    outbox.subscribe,
    () => outbox.read(sessionId),
    () => undefined,
  );

/** Removes one person's words before another signs in at this tab. */
export function forgetTyped(): void {
  drafts.clear();
  outbox.clear();
}

let claimedBy = '';

/** Records whose words these are; removes another person's words first. */
export function claimTyped(uid: string): void {
  if (uid === claimedBy) return;
  claimedBy = uid;
  const storage = tabStorage();
  try {
    if (storage?.getItem(OWNER) === uid) return;
    forgetTyped();
    storage?.setItem(OWNER, uid);
  } catch {
    // Then nothing is stored, and nothing of anyone remains.
  }
}
