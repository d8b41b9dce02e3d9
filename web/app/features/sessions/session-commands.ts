import type { Session } from '@atelier/contract/sessions';
import { shareOpen } from '../../lib/share-open.ts';
import {
  Archive,
  ArchiveRestore,
  FileBraces,
  FileText,
  FolderInput,
  FolderMinus,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Trash2,
} from '../../ui/icons/lucide.ts';
import type { MenuItem } from '../../ui/overlay/menu.tsx';
import { sessionQuestion } from './session-dialog-store.ts';
import type { SessionActions } from './use-session-actions.ts';

export interface CommandContext {
  sessions: readonly Session[];
  actions: SessionActions;
  /** Renames in place; without it, a dialog asks. */
  onRename?: (() => void) | undefined;
}

/** Everything that can be done with one session, or several: the one list that menus and the palette show. */
export function sessionCommands({ sessions, actions, onRename }: CommandContext): MenuItem[] {
  const allPinned = sessions.every((session) => session.pinned);
  const allArchived = sessions.every((session) => session.archived);
  const isFiled = sessions.some((session) => session.folderId !== null);
  const [first, ...others] = sessions;
  return [
    {
      id: 'pin',
      label: allPinned ? 'Unpin' : 'Pin',
      Icon: allPinned ? PinOff : Pin,
      run: () => void actions.change(sessions, { pinned: !allPinned }),
    },
    {
      id: 'rename',
      label: 'Rename…',
      Icon: Pencil,
      shortcut: 'F2',
      run: onRename ?? (() => sessionQuestion.set({ kind: 'rename', sessions })),
    },
    {
      id: 'move',
      label: 'Move to folder…',
      Icon: FolderInput,
      run: () => sessionQuestion.set({ kind: 'move', sessions }),
    },
    ...(isFiled
      ? [{ id: 'unfile', label: 'Remove from folder', Icon: FolderMinus, run: () => void actions.move(sessions, null) }]
      : []),
    {
      id: 'archive',
      label: allArchived ? 'Unarchive' : 'Archive',
      Icon: allArchived ? ArchiveRestore : Archive,
      run: () => void actions.archive(sessions, !allArchived),
    },
    ...(first && others.length === 0 ? singleCommands(first, actions) : []),
    {
      id: 'delete',
      label: 'Delete',
      Icon: Trash2,
      shortcut: 'Del',
      danger: true,
      run: () => void actions.remove(sessions),
    },
  ];
}

const singleCommands = (session: Session, actions: SessionActions): MenuItem[] => [
  {
    id: 'share',
    label: 'Share…',
    Icon: Share2,
    run: () => shareOpen.set({ sessionId: session.id }),
  },
  {
    id: 'export-md',
    label: 'Export as Markdown',
    Icon: FileText,
    run: () => actions.exportAs(session, 'md'),
  },
  {
    id: 'export-json',
    label: 'Export as JSON',
    Icon: FileBraces,
    run: () => actions.exportAs(session, 'json'),
  },
];
