import type { Session } from '@atelier/contract/sessions';
import { useNavigate } from 'react-router';
import type { Command, CommandGroup } from '../../features/search/commands.ts';
import { sessionQuestion } from '../../features/sessions/session-dialog-store.ts';
import { MAIN_VIEW, type SessionView, showSessions } from '../../features/sessions/session-view.ts';
import { useSignOut } from '../../lib/auth/use-sign-out.ts';
import { useAuth } from '../../lib/auth.tsx';
import { type Wish, wishFor } from '../../lib/wishes.ts';
import { askForDrawer } from '../../ui/page/drawer-request.ts';
import { chooseTheme, readTheme, type ThemeChoice } from '../../ui/page/theme.ts';

/** New things, lists, colours, and signing out. */
export function useWorkspaceCommands(session: Session | undefined): CommandGroup {
  const { leave } = useSignOut();
  const { enter, show } = useWorkspace();
  const wish = (what: Wish) => () => {
    wishFor(what);
    void enter();
  };
  const select = async () => {
    if (!(await enter())) return;
    wishFor('select-sessions');
    askForDrawer();
  };
  const newFolder = async () => {
    if (await enter()) sessionQuestion.set({ kind: 'folder' });
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

const THEMES: { choice: ThemeChoice; label: string }[] = [
  { choice: 'light', label: 'Use light colours' },
  { choice: 'dark', label: 'Use dark colours' },
  { choice: 'system', label: 'Use the system’s colours' },
];

const isDark = () => document.documentElement.dataset.theme === 'dark';

function themeCommands(): Command[] {
  const keywords = ['theme', 'colour scheme', 'color'];
  const now = readTheme();
  return [
    {
      id: 'toggle-theme',
      label: 'Toggle theme',
      keywords: [...keywords, 'dark', 'light'],
      run: () => chooseTheme(isDark() ? 'light' : 'dark'),
    },
    ...THEMES.filter(({ choice }) => choice !== now).map(({ choice, label }) => ({
      id: `theme ${choice}`,
      label,
      keywords,
      run: () => chooseTheme(choice),
    })),
  ];
}

/** The way to the workspace, and to a part of its session list. */
export function useWorkspace() {
  const navigate = useNavigate();
  const { user } = useAuth();
  /** Resolves to whether it is there: input that would be lost, or no connection, may be in the way. */
  const enter = async () => {
    const isThere = () => location.pathname === '/runtime';
    if (!isThere()) await navigate('/runtime');
    return isThere();
  };
  const show = (part: Partial<SessionView>) => {
    showSessions(user?.uid ?? '', { ...MAIN_VIEW, ...part });
    void enter();
  };
  return { enter, show };
}
