import { createTyped } from './create-typed.ts';
import { attempt, type KeyValue } from './words.ts';

/** The database of chosen files that are not uploaded yet: `features/runs/attachments` fills it. */
export const CHOSEN_FILES = 'chosen-files';

/** The browser's storage of this name; null at build time, or when the browser refuses it. */
export const storage = (name: 'localStorage' | 'sessionStorage'): KeyValue | null =>
  (typeof window === 'undefined' ? undefined : attempt(() => window[name])) ?? null;

/** What the person who is signed in typed in this browser and did not send or save. */
export const typed = createTyped({
  shared: storage('localStorage'),
  own: storage('sessionStorage'),
  onOver: () => attempt(() => indexedDB.deleteDatabase(CHOSEN_FILES)),
});

const lockOf = (tab: string) => `tab:${tab}`;
let letGo: (() => void) | undefined;

/** The sign-in ended: keeps the words, and says to other tabs that this one is there to take its own back. */
export function endTyped(): void {
  typed.end();
  if (!typed.tabCopies.isLeft() || letGo !== undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  letGo = resolve;
  void navigator.locks?.request(lockOf(typed.tabCopies.tab), () => promise);
}

/** Somebody is signed in: shows their words, with those of tabs that were closed after a sign-in had ended. */
export async function claimTyped(uid: string): Promise<void> {
  typed.claim(uid);
  letGo?.();
  letGo = undefined;
  for (const tab of typed.tabCopies.tabs()) {
    await navigator.locks?.request(lockOf(tab), { ifAvailable: true }, (lock) => lock && typed.adopt(tab));
  }
}
