import type { Folder } from '@atelier/contract/folders';
import type { Session } from '@atelier/contract/sessions';
import { useSyncExternalStore } from 'react';

/** A question about sessions or a folder, asked in a dialog. */
export type SessionQuestion =
  | { kind: 'rename'; sessions: readonly Session[] }
  | { kind: 'move'; sessions: readonly Session[] }
  | { kind: 'folder'; folder?: Folder };

// Outside of the list: the palette asks too, and a phone's drawer may be closed meanwhile.
let asked: SessionQuestion | null = null;
const listeners = new Set<() => void>();

/** Opens the dialog, from anywhere on the page; null closes it. */
export function askAboutSessions(question: SessionQuestion | null): void {
  asked = question;
  for (const listener of listeners) listener();
}

export const closeSessionDialog = () => askAboutSessions(null);

/** The question that is open. */
export const useSessionQuestion = (): SessionQuestion | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
    () => null,
  );
