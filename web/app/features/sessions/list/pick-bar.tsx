import type { Session } from '@atelier/contract/sessions';
import { Button } from '../../../ui/button.tsx';
import { ListChecks } from '../../../ui/icons/lucide.ts';
import { Menu } from '../../../ui/overlay/menu.tsx';
import type { Picking } from '../use-picking.ts';
import type { SessionActions } from '../use-session-actions.ts';
import { useSessionLines } from './row-menu.tsx';

export interface PickBarProps {
  sessions: readonly Session[];
  picking: Picking;
  actions: SessionActions;
}

/** Instead of the header while sessions are selected: how many, and what to do with them. */
export function PickBar({ sessions, picking, actions }: PickBarProps) {
  const [lines, load] = useSessionLines();
  const about = lines({ sessions, actions });
  const all = { id: 'all', label: 'Select all shown', Icon: ListChecks, shortcut: 'Ctrl A', run: picking.pickAll };
  return (
    <div role="toolbar" aria-label="Selected sessions" className="flex shrink-0 items-center gap-1 pb-1 pl-2">
      <p role="status" className="min-w-0 flex-1 truncate font-semibold text-sm">
        {sessions.length} selected
      </p>
      <Menu
        trigger={<Button size="sm">Actions</Button>}
        onOpen={load}
        groups={about && [{ items: [all] }, ...(sessions.length === 0 ? [] : about)]}
      />
      <Button size="sm" variant="ghost" onClick={picking.stop}>
        Done
      </Button>
    </div>
  );
}
