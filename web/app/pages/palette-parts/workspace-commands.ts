import type { Session } from '@atelier/contract/sessions';
import type { Command, CommandGroup } from '../../features/search/commands.ts';
import { askAboutSessions } from '../../features/sessions/session-dialog-store.ts';
import { useSignOut } from '../../lib/auth/use-sign-out.ts';
import { type Wish, wishFor } from '../../lib/wishes.ts';
import { askForDrawer } from '../../ui/page/drawer-asked.ts';
import { themeCommands } from './theme-commands.ts';
import { useWorkspace } from './use-workspace.ts';

/** New things, lists, colours, and signing out. */
export function useWorkspaceCommands(session: Session | undefined): CommandGroup {
  const { leave } = useSignOut();
  const { enter, show } = useWorkspace();
  const wish = (what: Wish) => () => {
    wishFor(what);
    void enter();
  };
  const select = async () => {
    await enter();
    wishFor('select-sessions');
    askForDrawer();
  };
  const newFolder = async () => {
    await enter();
    askAboutSessions({ kind: 'folder' });
  };
  const commands: Command[] = [
    { id: 'new-session', label: 'New session…', keywords: ['start', 'chat'], run: wish('new-session') },
    ...(session && !session.agentDeleted
      ? [{ id: 'edit-agent', label: `Edit agent ${session.agentName}`, run: wish('edit-agent') }]
      : []),
    { id: 'create-agent', label: 'Create agent', keywords: ['new'], run: wish('create-agent') },
    { id: 'new-folder', label: 'New folder…', keywords: ['create'], run: () => void newFolder() },
    { id: 'select', label: 'Select sessions', keywords: ['several', 'bulk'], run: () => void select() },
    { id: 'all-sessions', label: 'Show all sessions', keywords: ['go to', 'list'], run: () => show({ place: 'all' }) },
    {
      id: 'archived',
      label: 'Show archived sessions',
      keywords: ['go to', 'list'],
      run: () => show({ place: 'archived' }),
    },
    ...themeCommands(),
    { id: 'sign-out', label: 'Sign Out', keywords: ['log out', 'leave'], run: leave },
  ];
  return { heading: 'Commands', commands };
}
