import type { Session } from '@atelier/contract/sessions';
import type { Folder } from '@atelier/contract/sessions/folders';
import { createShared } from '../../ui/shared-value.ts';

/** A question about sessions or a folder, asked in a dialog. */
export type SessionQuestion =
  | { kind: 'rename'; sessions: readonly Session[] }
  | { kind: 'move'; sessions: readonly Session[] }
  | { kind: 'folder'; folder?: Folder };

/** The question that is open, set from anywhere on the page: the palette asks too, and a phone's drawer may be closed meanwhile. */
export const sessionQuestion = createShared<SessionQuestion | null>(null);
