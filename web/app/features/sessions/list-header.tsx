import type { Session } from '@atelier/contract/sessions';
import { Archive, ArrowLeft, Ellipsis, FolderPlus, ListChecks, Pencil, Plus, Trash2 } from 'lucide-react';
import type { DragEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuGroup } from '../../ui/overlay/menu.tsx';
import { useFolderDeletion, useFolders } from './folders.api.ts';
import { sessionCommands } from './session-commands.ts';
import { askAboutSessions } from './session-dialog-store.ts';
import { isMainView, MAIN_VIEW, type SessionView } from './session-view.ts';
import type { Picking } from './use-picking.ts';
import type { SessionActions } from './use-session-actions.ts';

/** An agent to filter by. */
export interface NamedAgent {
  id: string;
  name: string;
}

export interface ListHeaderProps {
  view: SessionView;
  onView: (view: SessionView) => void;
  agents: readonly NamedAgent[];
  picking: Picking;
  onNew: () => void;
  /** Whether there is anything to select. */
  hasSessions: boolean;
}

/** The line above the list: its name, its options, and the button for a new session. */
export function ListHeader({ view, onView, agents, picking, onNew, hasSessions }: ListHeaderProps) {
  const groups: MenuGroup[] = [
    {
      items: [
        ...(hasSessions ? [{ id: 'select', label: 'Select sessions', Icon: ListChecks, run: picking.start }] : []),
        { id: 'folder', label: 'New folder…', Icon: FolderPlus, run: () => askAboutSessions({ kind: 'folder' }) },
        {
          id: 'archived',
          label: 'Archived sessions',
          Icon: Archive,
          run: () => onView({ ...MAIN_VIEW, place: 'archived' }),
        },
      ],
    },
    {
      label: 'Show',
      items: [
        { id: 'all', label: 'All agents', checked: view.agentId === '', run: () => onView({ ...view, agentId: '' }) },
        ...agents.map(({ id, name }) => ({
          id: `agent ${id}`,
          label: name,
          checked: view.agentId === id,
          run: () => onView({ ...view, agentId: id }),
        })),
      ],
    },
  ];
  return (
    <div className="flex shrink-0 items-center gap-1 py-1 pl-2">
      <h2 className="min-w-0 flex-1 font-semibold text-muted text-sm">Sessions</h2>
      <Menu
        trigger={
          <IconButton size="sm" label="Options of the session list">
            <Ellipsis aria-hidden="true" className="size-4" />
          </IconButton>
        }
        groups={groups}
      />
      <Button size="sm" onClick={onNew}>
        <Plus aria-hidden="true" className="size-4" />
        New session
      </Button>
    </div>
  );
}

export interface PickBarProps {
  sessions: readonly Session[];
  picking: Picking;
  actions: SessionActions;
}

/** Instead of the header while sessions are selected: how many, and what to do with them. */
export function PickBar({ sessions, picking, actions }: PickBarProps) {
  const commands = sessions.length === 0 ? [] : sessionCommands({ sessions, actions });
  const all = { id: 'all', label: 'Select all shown', Icon: ListChecks, shortcut: 'Ctrl A', run: picking.pickAll };
  return (
    <div role="toolbar" aria-label="Selected sessions" className="flex shrink-0 items-center gap-1 py-1 pl-2">
      <p role="status" className="min-w-0 flex-1 truncate font-semibold text-sm">
        {sessions.length} selected
      </p>
      <Menu trigger={<Button size="sm">Actions</Button>} groups={[{ items: [all] }, { items: commands }]} />
      <Button size="sm" variant="ghost" onClick={picking.stop}>
        Done
      </Button>
    </div>
  );
}

export interface ViewBarProps {
  view: SessionView;
  onView: (view: SessionView) => void;
  agents: readonly NamedAgent[];
  /** What is dropped on the way back leaves its folder. */
  onDrop: ((event: DragEvent) => void) | undefined;
}

/** Which part of the sessions is shown, the way back to all of them, and what can be done with an open folder. */
export function ViewBar({ view, onView, agents, onDrop }: ViewBarProps) {
  const folders = useFolders();
  const deleteFolder = useFolderDeletion();
  if (isMainView(view)) return null;
  const folder = folders.data?.find(({ id }) => id === view.place);
  const agent = agents.find(({ id }) => id === view.agentId)?.name;
  const place = view.place === 'archived' ? 'Archived' : folder?.name;
  return (
    <div className="flex shrink-0 items-center gap-1 pl-1">
      <IconButton
        size="sm"
        label="Back to all sessions"
        onClick={() => onView(MAIN_VIEW)}
        onDragOver={(event) => onDrop && event.preventDefault()}
        onDrop={onDrop}
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
      </IconButton>
      <p className="min-w-0 flex-1 truncate font-semibold text-sm">{[place, agent].filter(Boolean).join(' · ')}</p>
      {folder && (
        <Menu
          trigger={
            <IconButton size="sm" label={`More for folder ${folder.name}`}>
              <Ellipsis aria-hidden="true" className="size-4" />
            </IconButton>
          }
          groups={[
            {
              items: [
                {
                  id: 'rename',
                  label: 'Rename folder…',
                  Icon: Pencil,
                  run: () => askAboutSessions({ kind: 'folder', folder }),
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
