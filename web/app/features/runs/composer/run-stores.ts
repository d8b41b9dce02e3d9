import { useSyncExternalStore } from 'react';
import { onForgetDrafts } from '../../../lib/draft-storage.ts';
import { pending } from '../attachments/pending-store.ts';
import { createDraftStore } from './drafts.ts';
import { sharedStorage, tabStorage } from './kept.ts';
import { createOutbox } from './outbox.ts';

const OWNER = 'typed-by';
let claimedBy = '';

export const drafts = createDraftStore(sharedStorage());
export const outbox = createOutbox(tabStorage());
if (typeof addEventListener !== 'undefined' && typeof document !== 'undefined') {
  addEventListener('storage', ({ key, oldValue, newValue }) => drafts.receive(key, oldValue, newValue));
}

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

/** Removes a person's words when they sign out. */
export function forgetTyped(): void {
  drafts.clear();
  drafts.own('');
  outbox.clear();
  pending.clear();
  claimedBy = '';
}

onForgetDrafts(forgetTyped);

/** Records whose words these are; another person's are not shown, and what this tab was sending for them is forgotten. */
export function claimTyped(uid: string): void {
  if (uid === claimedBy) return;
  claimedBy = uid;
  drafts.own(uid);
  const storage = tabStorage();
  try {
    if (storage?.getItem(OWNER) === uid) return;
    outbox.clear();
    storage?.setItem(OWNER, uid);
  } catch {
    // Then nothing is stored, and nothing of anyone remains.
  }
}
