import { useLocation, useSearchParams } from 'react-router';
import { useAgents } from '../../features/agents/agents.api.ts';
import { SearchPalette } from '../../features/search/search-palette.tsx';
import { useFolders } from '../../features/sessions/folders.api.ts';
import { sessionCommands } from '../../features/sessions/session-commands.ts';
import { latestSessions } from '../../features/sessions/session-pages.ts';
import { useSession, useSessions } from '../../features/sessions/sessions.api.ts';
import { useSessionActions } from '../../features/sessions/use-session-actions.ts';
import { useAgentCommands } from './agent-commands.ts';
import { useFolderCommands } from './folder-commands.ts';
import { useLatestCommands } from './latest-commands.ts';
import { usePageCommands } from './page-commands.ts';
import { PublicAgents } from './public-agents.tsx';
import { useRecentAgents, useRecentSessions } from './recent-commands.ts';
import { useWorkspaceCommands } from './workspace-commands.ts';

/** The palette with everything that the app can do from here, and public agents. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const session = useOpenSession();
  const actions = useSessionActions();
  const agents = useAgents();
  const folders = useFolders();
  const latest = latestSessions(useSessions().data?.pages ?? []).filter(({ id }) => id !== session?.id);
  const groups = [
    useRecentSessions(latest),
    useRecentAgents(agents.data ?? [], latest),
    ...(session ? [{ heading: 'This session', commands: sessionCommands({ sessions: [session], actions }) }] : []),
    useLatestCommands(session),
    useWorkspaceCommands(session),
    usePageCommands(),
    useFolderCommands(folders.data ?? []),
    useAgentCommands(agents.data ?? []),
  ];
  return <SearchPalette onClose={onClose} commands={groups} Others={PublicAgents} />;
}

/** The session on the page, if one is. */
function useOpenSession() {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const id = pathname === '/runtime' ? search.get('sessionId') : null;
  const { data } = useSession(id ?? '', id !== null && id !== '');
  return id ? (data ?? undefined) : undefined;
}
