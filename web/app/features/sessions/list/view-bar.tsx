import type { DragEvent } from 'react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ArrowLeft, Ellipsis, Pencil, Trash2 } from '../../../ui/icons/lucide.ts';
import { Menu } from '../../../ui/overlay/menu.tsx';
import { sessionQuestion } from '../session-dialog-store.ts';
import { isMainView, MAIN_VIEW, type SessionView } from '../session-view.ts';
import { useFolderDeletion, useFolders } from '../sessions.api.ts';

export interface ViewBarProps {
  view: SessionView;
  onView: (view: SessionView) => void;
  /** The agent whose sessions are shown. */
  agent: string | undefined;
  /** What is dropped on the way back leaves its folder. */
  onDrop: ((event: DragEvent) => void) | undefined;
}

/** Which part of the sessions is shown, the way back to all of them, and what can be done with an open folder. */
export function ViewBar({ view, onView, agent, onDrop }: ViewBarProps) {
  const folders = useFolders();
  const deleteFolder = useFolderDeletion();
  if (isMainView(view)) return null;
  const folder = folders.data?.find(({ id }) => id === view.place);
  const place = view.place === 'archived' ? 'Archived' : folder?.name;
  return (
    <div className="flex shrink-0 items-center gap-1 pl-1">
      <IconButton
        size="sm"
        label="Back to all sessions"
        onClick={() => onView(MAIN_VIEW)}
        onDragOver={(event) => onDrop && event.preventDefault()}
        onDrop={onDrop}
        Icon={ArrowLeft}
      />
      <p className="min-w-0 flex-1 truncate font-semibold text-sm">{[place, agent].filter(Boolean).join(' · ')}</p>
      {folder && (
        <Menu
          trigger={<IconButton size="sm" label={`More for folder ${folder.name}`} Icon={Ellipsis} />}
          groups={[
            {
              items: [
                {
                  id: 'rename',
                  label: 'Rename folder…',
                  Icon: Pencil,
                  run: () => sessionQuestion.set({ kind: 'folder', folder }),
                },
                {
                  id: 'delete',
                  label: 'Delete folder, keep its sessions',
                  Icon: Trash2,
                  danger: true,
                  run: () => void deleteFolder(folder.id),
                },
              ],
            },
          ]}
        />
      )}
    </div>
  );
}
