import type { Agent } from '@atelier/contract/agents';
import type { Folder } from '@atelier/contract/folders';
import type { Session } from '@atelier/contract/sessions';
import { useNavigate } from 'react-router';
import type { Command, CommandGroup } from '../../features/search/commands.ts';
import { useFolderDeletion } from '../../features/sessions/folders.api.ts';
import { askAboutSessions } from '../../features/sessions/session-dialog-store.ts';
import { MAIN_VIEW, showSessions } from '../../features/sessions/session-view.ts';
import { fetchLatestSession } from '../../features/sessions/sessions.api.ts';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { exportAddress } from '../../features/transfer/transfer.api.ts';
import { useAuth } from '../../lib/auth.tsx';
import { errorText } from '../../lib/http.ts';
import { saveFrom } from '../../lib/save-from.ts';
import { type Wish, wishFor } from '../../lib/wishes.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { leavePage } from '../../ui/overlay/unsaved.tsx';
import { askForDrawer } from '../../ui/page/drawer-asked.ts';
import { chooseTheme, readTheme, type ThemeChoice } from '../../ui/page/theme.ts';

const PLACES = [
  { to: '/runtime', title: 'Runtime', keywords: ['chat', 'home'] },
  { to: '/library', title: 'My Library', keywords: ['agents', 'favorites'] },
  { to: '/memory', title: 'Memory', keywords: ['facts'] },
  { to: '/explore', title: 'Explore Agents', keywords: ['public', 'discover'] },
  { to: '/billing', title: 'Billing Settings', keywords: ['plan', 'upgrade', 'pro'] },
  { to: '/usage', title: 'Usage', keywords: ['tokens', 'cost', 'money'] },
  { to: '/account', title: 'Account', keywords: ['settings', 'password', 'export'] },
  { to: '/contact', title: 'Contact', keywords: ['help'] },
  { to: '/terms', title: 'Terms' },
  { to: '/privacy', title: 'Privacy' },
];

/** Every page. */
export function usePageCommands(): CommandGroup {
  const navigate = useNavigate();
  const commands = PLACES.map(({ to, title, keywords }) => ({
    id: to,
    label: title,
    keywords: ['go to', ...(keywords ?? [])],
    run: () => void navigate(to),
  }));
  return { heading: 'Pages', commands };
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

/** New things, lists, colours, and signing out. */
export function useWorkspaceCommands(session: Session | undefined): CommandGroup {
  const navigate = useNavigate();
  const { user, signOut } = useAuth();
  const inWorkspace = () => (location.pathname === '/runtime' ? undefined : navigate('/runtime'));
  const wish = (what: Wish) => () => {
    wishFor(what);
    void inWorkspace();
  };
  const show = (place: string) => () => {
    showSessions(user?.uid ?? '', { ...MAIN_VIEW, place });
    void inWorkspace();
  };
  const leave = () =>
    signOut().then(
      () => navigate('/signup', { replace: true }),
      (error: unknown) => toast.error(errorText(error)),
    );
  const select = async () => {
    await inWorkspace();
    wishFor('select-sessions');
    askForDrawer();
  };
  const newFolder = async () => {
    await inWorkspace();
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
    { id: 'all-sessions', label: 'Show all sessions', keywords: ['go to', 'list'], run: show('all') },
    { id: 'archived', label: 'Show archived sessions', keywords: ['go to', 'list'], run: show('archived') },
    ...themeCommands(),
    { id: 'sign-out', label: 'Sign Out', keywords: ['log out', 'leave'], run: () => leavePage(() => void leave()) },
  ];
  return { heading: 'Commands', commands };
}

/** For each folder: its own list, another name, and deletion. */
export function useFolderCommands(folders: readonly Folder[]): CommandGroup {
  const navigate = useNavigate();
  const { user } = useAuth();
  const remove = useFolderDeletion();
  const inWorkspace = () => (location.pathname === '/runtime' ? undefined : navigate('/runtime'));
  const open = (place: string) => {
    showSessions(user?.uid ?? '', { ...MAIN_VIEW, place });
    void inWorkspace();
  };
  const rename = async (folder: Folder) => {
    await inWorkspace();
    askAboutSessions({ kind: 'folder', folder });
  };
  const commands = folders.flatMap((folder) => [
    {
      id: `folder ${folder.id}`,
      label: `Open folder ${folder.name}`,
      keywords: ['go to'],
      run: () => open(folder.id),
    },
    { id: `rename ${folder.id}`, label: `Rename folder ${folder.name}…`, run: () => void rename(folder) },
    {
      id: `delete ${folder.id}`,
      label: `Delete folder ${folder.name}, keep its sessions`,
      keywords: ['remove'],
      run: () => void remove(folder.id),
    },
  ]);
  return { heading: 'Folders', commands, onlyTyped: true };
}

/** For each agent: its sessions, its memories and its file. */
export function useAgentCommands(agents: readonly Agent[]): CommandGroup {
  const navigate = useNavigate();
  const { user } = useAuth();
  const { start, mayStart } = useStartChat();
  const begin = (agent: Agent) => mayStart() && start(agent);
  const switchTo = (agent: Agent) =>
    fetchLatestSession(agent.id).then(
      (latest) => void (latest ? navigate(`/runtime?sessionId=${latest.id}`) : begin(agent)),
      (error: unknown) => toast.error(errorText(error)),
    );
  const commands = agents.flatMap((agent) => [
    {
      id: `new ${agent.id}`,
      label: `New session with ${agent.name}`,
      keywords: ['start', 'chat', 'agent'],
      run: () => void begin(agent),
    },
    {
      id: `switch ${agent.id}`,
      label: `Switch to agent ${agent.name}`,
      keywords: ['latest session', 'open'],
      run: () => void switchTo(agent),
    },
    {
      id: `filter ${agent.id}`,
      label: `Show only sessions with ${agent.name}`,
      keywords: ['filter', 'agent'],
      run: () => {
        showSessions(user?.uid ?? '', { ...MAIN_VIEW, agentId: agent.id });
        if (location.pathname !== '/runtime') void navigate('/runtime');
      },
    },
    {
      id: `memories ${agent.id}`,
      label: `Memories of ${agent.name}`,
      keywords: ['go to', 'agent'],
      run: () => void navigate(`/memory?${new URLSearchParams({ agentId: agent.id })}`),
    },
    {
      id: `export ${agent.id}`,
      label: `Export agent ${agent.name}`,
      keywords: ['download', 'file'],
      run: () => saveFrom(exportAddress(agent.id)),
    },
  ]);
  return { heading: 'Agents', commands, onlyTyped: true };
}
