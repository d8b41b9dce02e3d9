import { useState } from 'react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Ellipsis } from '../../../ui/icons/lucide.ts';
import { Menu, type MenuGroup } from '../../../ui/overlay/menu.tsx';
import type { CommandContext, sessionCommands } from '../session-commands.ts';
import type { RowPart } from './session-link.tsx';

/** The lines of a menu about sessions, once `load` has been called. */
export function useSessionLines(): [lines: (about: CommandContext) => MenuGroup[] | undefined, load: () => void] {
  const [module, setModule] = useState<{ sessionCommands: typeof sessionCommands }>();
  const load = () => void import('../session-commands.ts').then(setModule, () => undefined);
  return [(about) => module && [{ items: module.sessionCommands(about) }], load];
}

/** What can be done with one session. */
export function RowMenu({ session, handlers }: Pick<RowPart, 'session' | 'handlers'>) {
  const { actions, edit } = handlers;
  const [lines, load] = useSessionLines();
  return (
    <Menu
      trigger={<IconButton size="sm" tabIndex={-1} label={`More for session ${session.name}`} Icon={Ellipsis} />}
      onOpen={load}
      groups={lines({ sessions: [session], actions, onRename: () => edit(session.id) })}
    />
  );
}
