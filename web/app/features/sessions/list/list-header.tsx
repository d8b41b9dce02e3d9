import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Archive, Ellipsis, FolderPlus, ListChecks, Plus } from '../../../ui/icons/lucide.ts';
import { Menu, type MenuGroup } from '../../../ui/overlay/menu.tsx';
import { sessionQuestion } from '../session-dialog-store.ts';
import { MAIN_VIEW, type SessionView } from '../session-view.ts';
import type { Picking } from '../use-picking.ts';

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
  /** The options are opened: the agents are needed. */
  onFilter: () => void;
  onNew: () => void;
  /** Whether there is anything to select. */
  hasSessions: boolean;
}

/** The line above the list: its name, its options, and the button for a new session. */
export function ListHeader({ view, onView, agents, picking, onFilter, onNew, hasSessions }: ListHeaderProps) {
  const groups: MenuGroup[] = [
    {
      items: [
        ...(hasSessions ? [{ id: 'select', label: 'Select sessions', Icon: ListChecks, run: picking.start }] : []),
        { id: 'folder', label: 'New folder…', Icon: FolderPlus, run: () => sessionQuestion.set({ kind: 'folder' }) },
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
    <div className="flex shrink-0 items-center gap-1 pb-1 pl-2">
      <h2 className="min-w-0 flex-1 font-semibold text-muted text-sm">Sessions</h2>
      <Menu
        trigger={<IconButton size="sm" label="Options of the session list" Icon={Ellipsis} />}
        groups={groups}
        onOpen={onFilter}
      />
      <Button size="sm" onClick={onNew}>
        <Plus className="size-4" />
        New session
      </Button>
    </div>
  );
}
