import type { Session } from '@atelier/contract/sessions';
import type { Folder } from '@atelier/contract/sessions/folders';
import { createPageDialog } from '../../lib/page-dialog.ts';

/** A question about sessions or a folder, asked in a dialog. */
export type SessionQuestion =
  | { kind: 'rename'; sessions: readonly Session[] }
  | { kind: 'move'; sessions: readonly Session[] }
  | { kind: 'folder'; folder?: Folder };

/** The question that is open; the palette asks too, and a phone's drawer may be closed meanwhile. */
export const sessionQuestion = createPageDialog<SessionQuestion>();
