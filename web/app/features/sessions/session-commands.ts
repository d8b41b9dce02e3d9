import type { Session } from '@atelier/contract/sessions';
import { shareOpen } from '../../lib/share-open.ts';
import {
  Archive,
  ArchiveRestore,
  FileBraces,
  FileText,
  FolderInput,
  FolderMinus,
  type IconComponent,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Trash2,
} from '../../ui/icons/lucide.ts';
import { sessionQuestion } from './session-dialog-store.ts';
import type { SessionActions } from './use-session-actions.ts';

/** One line of a session's menu, of the bar for selected ones, and of the palette. */
export interface SessionCommand {
  id: string;
  label: string;
  Icon: IconComponent;
  /** The key that does it in the list. */
  shortcut?: string;
  danger?: boolean;
  /** Only for one session. */
  single?: true;
  run: () => void;
}

export interface CommandContext {
  sessions: readonly Session[];
  actions: SessionActions;
  /** Renames in place; without it, a dialog asks. */
  onRename?: (() => void) | undefined;
}

/** Everything that can be done with one session, or several: the one list that menus and the palette show. */
export function sessionCommands({ sessions, actions, onRename }: CommandContext): SessionCommand[] {
  const allPinned = sessions.every((session) => session.pinned);
  const allArchived = sessions.every((session) => session.archived);
  const isFiled = sessions.some((session) => session.folderId !== null);
  const commands: SessionCommand[] = [
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
    ...singleCommands(sessions[0], actions),
    {
      id: 'delete',
      label: 'Delete',
      Icon: Trash2,
      shortcut: 'Del',
      danger: true,
      run: () => void actions.remove(sessions),
    },
  ];
  return commands.filter((command) => sessions.length === 1 || !command.single);
}

const singleCommands = (session: Session | undefined, actions: SessionActions): SessionCommand[] => [
  {
    id: 'share',
    label: 'Share…',
    Icon: Share2,
    single: true,
    run: () => session && shareOpen.set({ sessionId: session.id }),
  },
  {
    id: 'export-md',
    label: 'Export as Markdown',
    Icon: FileText,
    single: true,
    run: () => session && actions.exportAs(session, 'md'),
  },
  {
    id: 'export-json',
    label: 'Export as JSON',
    Icon: FileBraces,
    single: true,
    run: () => session && actions.exportAs(session, 'json'),
  },
];
