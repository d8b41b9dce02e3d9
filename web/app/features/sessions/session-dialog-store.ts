import type { Session } from '@atelier/contract/sessions';
import type { Folder } from '@atelier/contract/sessions/folders';
import { createShared } from '../../ui/shared-value.ts';

/** A question about sessions or a folder, asked in a dialog. */
export type SessionQuestion =
  | { kind: 'rename'; sessions: readonly Session[] }
  | { kind: 'move'; sessions: readonly Session[] }
  | { kind: 'folder'; folder?: Folder };

// Outside of the list: the palette asks too, and a phone's drawer may be closed meanwhile.
const question = createShared<SessionQuestion | null>(null);

/** Opens the dialog, from anywhere on the page; null closes it. */
export const askAboutSessions = question.set;

export const closeSessionDialog = () => question.set(null);

/** The question that is open. */
export const useSessionQuestion = question.useValue;
