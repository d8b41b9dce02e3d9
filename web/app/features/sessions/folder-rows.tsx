import type { Folder } from '@atelier/contract/sessions/folders';
import { type DragEvent, useState } from 'react';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { classes } from '../../ui/classes.ts';
import { Folder as FolderIcon } from '../../ui/icons/lucide.ts';

export interface FolderRowsProps {
  folders: readonly Folder[];
  /** The row that Tab leads to. */
  tabStop: string | null;
  onOpen: (folder: Folder) => void;
  /** Sessions were dropped on a folder. */
  onDrop: (folder: Folder, event: DragEvent) => void;
}

/** The folders above the sessions: each opens its own list, and takes what is dropped on it. */
export function FolderRows({ folders, tabStop, onOpen, onDrop }: FolderRowsProps) {
  if (folders.length === 0) return null;
  return (
    <ul aria-label="Folders">
      {folders.map((folder) => (
        <FolderRow
          key={folder.id}
          folder={folder}
          tabbable={folder.id === tabStop}
          onOpen={() => onOpen(folder)}
          onDrop={(e) => onDrop(folder, e)}
        />
      ))}
    </ul>
  );
}

interface FolderRowProps {
  folder: Folder;
  tabbable: boolean;
  onOpen: () => void;
  onDrop: (event: DragEvent) => void;
}

function FolderRow({ folder, tabbable, onOpen, onDrop }: FolderRowProps) {
  const [isOver, setOver] = useState(false);
  return (
    <li>
      <button
        type="button"
        data-row={folder.id}
        tabIndex={tabbable ? 0 : -1}
        onClick={onOpen}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          onDrop(event);
        }}
        className={classes(
          'flex h-(--row) w-full items-center gap-2.5 rounded px-2 text-left outline-offset-[-2px] hover:bg-sunken',
          isOver && 'bg-sunken ring-2 ring-edge',
        )}
      >
        <FolderIcon className="size-5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate">
          <SeenName name={folder.name} />
        </span>
        <span className="shrink-0 text-muted text-sm">
          {folder.sessionCount}
          <span className="sr-only"> {folder.sessionCount === 1 ? 'session' : 'sessions'}</span>
        </span>
      </button>
    </li>
  );
}
