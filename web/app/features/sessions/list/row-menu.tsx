import { Ellipsis } from 'lucide-react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/overlay/menu.tsx';
import { sessionCommands } from '../session-commands.ts';
import type { RowPart } from './session-link.tsx';

/** What can be done with one session. */
export function RowMenu({ session, handlers }: Pick<RowPart, 'session' | 'handlers'>) {
  const { actions, edit } = handlers;
  const commands = sessionCommands({ sessions: [session], actions, onRename: () => edit(session.id) });
  return (
    <Menu
      trigger={<IconButton size="sm" tabIndex={-1} label={`More for session ${session.name}`} Icon={Ellipsis} />}
      groups={[{ items: commands }]}
    />
  );
}
