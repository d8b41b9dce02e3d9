import { createListeners } from '../ui/shared-value.ts';

/** Where the browser keeps unsent messages: `draft:`, the person, `:`, the session. */
export const DRAFTS = 'draft:';

const listeners = createListeners();

/** Calls `listener` whenever somebody's unsent messages are removed. */
export const onForgetDrafts = listeners.subscribe;

/** Removes a person's unsent messages from the browser, whichever page they sign out on. */
export function forgetDrafts(uid: string): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(`${DRAFTS}${uid}:`)) localStorage.removeItem(key);
  } catch {
    // A browser that refuses its storage has nothing in it.
  }
  listeners.tell();
}
