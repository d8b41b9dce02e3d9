import { useSyncExternalStore } from 'react';
import { storage, typed } from '../../../lib/typed/typed.ts';
import { createShared } from '../../../ui/shared-value.ts';
import { createDraftStore } from './drafts.ts';
import { createOutbox } from './outbox.ts';

export const drafts = createDraftStore(typed.shared);
export const outbox = createOutbox(typed.own, storage('sessionStorage'));
typed.subscribe(drafts.reread);
typed.subscribe(outbox.reread);
if (typeof addEventListener !== 'undefined' && typeof document !== 'undefined') {
  addEventListener('storage', ({ key, oldValue, newValue }) => drafts.receive(key, oldValue, newValue));
}

/** The key of the words for a session that begins with its first message. */
export const NEW_SESSION = 'new';

/** Runs that this page started. */
export const startedHere = createShared<ReadonlySet<string>>(new Set());

/** The unsent text of a session. */
export function useDraft(sessionId: string): [text: string, write: (text: string) => void] {
  const text = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.read(sessionId),
    () => '',
  );
  return [text, (next) => drafts.write(sessionId, next)];
}

const NONE: ReturnType<typeof outbox.read> = [];

/** The messages of a session that are being sent, or could not be sent. */
export const useOutgoing = (sessionId: string) =>
  useSyncExternalStore(
    outbox.subscribe,
    () => outbox.read(sessionId),
    () => NONE,
  );
