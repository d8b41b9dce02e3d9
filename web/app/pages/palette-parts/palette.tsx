import type { Agent } from '@atelier/contract/agents';
import { SEARCH_MAX } from '@atelier/contract/explore';
import type { Session } from '@atelier/contract/sessions';
import type { Folder } from '@atelier/contract/sessions/folders';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useAgents } from '../../features/agents/agents.api.ts';
import { useExplore } from '../../features/explore/explore.api.ts';
import { useRegenerate } from '../../features/runs/branches/branches.api.ts';
import { useExchangeCommands } from '../../features/runs/branches/use-exchange-commands.ts';
import { useTasks } from '../../features/runs/runs.api.ts';
import { inOrder, isUnderWay } from '../../features/runs/task-patches.ts';
import type { Command, CommandGroup } from '../../features/search/commands.ts';
import { Commands, SearchPalette } from '../../features/search/search-palette.tsx';
import { sessionCommands } from '../../features/sessions/session-commands.ts';
import { sessionQuestion } from '../../features/sessions/session-dialog-store.ts';
import { lastUsedFirst, latestSessions } from '../../features/sessions/session-pages.ts';
import { useFolderDeletion, useFolders, useSession, useSessions } from '../../features/sessions/sessions.api.ts';
import { useSessionActions } from '../../features/sessions/use-session-actions.ts';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { exchangePath } from '../../lib/addresses.ts';
import { useAuth } from '../../lib/auth.tsx';
import { IMITATION } from '../../lib/names/imitation.ts';
import { toastError } from '../../lib/toast-error.ts';
import { wishFor } from '../../lib/wishes.ts';
import { copyText } from '../../ui/copy-button.tsx';
import { dayOf } from '../../ui/formats.ts';
import { useTry } from '../explore-parts/use-and-try.tsx';
import { useAgentCommands } from './agent-commands.ts';
import { usePageCommands } from './page-commands.ts';
import { useWorkspace, useWorkspaceCommands } from './workspace-commands.ts';

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

/** For each folder: its own list, another name, and deletion. */
function useFolderCommands(folders: readonly Folder[]): CommandGroup {
  const { enter, show } = useWorkspace();
  const remove = useFolderDeletion();
  const rename = async (folder: Folder) => {
    if (await enter()) sessionQuestion.set({ kind: 'folder', folder });
  };
  const commands = folders.flatMap((folder) => [
    {
      id: `folder ${folder.id}`,
      label: `Open folder ${folder.name}`,
      keywords: ['go to'],
      run: () => show({ place: folder.id }),
    },
    { id: `rename ${folder.id}`, label: `Rename folder ${folder.name}…`, run: () => void rename(folder) },
    {
      id: `delete ${folder.id}`,
      label: `Delete folder ${folder.name}, keep its sessions`,
      keywords: ['remove'],
      run: () => void remove(folder.id),
    },
  ]);
  return { heading: 'Folders', commands, only: 'typed' };
}

/** As many as leave room for the rest. */
const SHOWN = 4;

/** Public agents that have the typed words, each to talk with at once. */
function PublicAgents({ q, onClose }: { q: string; onClose: () => void }) {
  const { data } = useExplore({ q: q.slice(0, SEARCH_MAX), tag: '', sort: '' });
  const attempt = useTry();
  const commands = (data?.pages[0]?.agents ?? []).slice(0, SHOWN).map((agent) => ({
    id: `try ${agent.creatorId}/${agent.id}`,
    label: `Try ${agent.name}`,
    aside: agent.imitates === null ? agent.description : `${IMITATION} “${agent.imitates.name}”`,
    run: () => attempt.run(agent),
  }));
  return commands.length > 0 && <Commands groups={[{ heading: 'Public agents', commands }]} onClose={onClose} />;
}

/** What the buttons below the latest answer of the open session do. */
function useLatestCommands(session: Session | undefined): CommandGroup {
  const { me } = useAuth();
  const id = session?.id ?? '';
  const { data } = useTasks(id, session !== undefined);
  const regenerate = useRegenerate(id);
  const commandsOf = useExchangeCommands(id);
  const latest = data && inOrder(data).at(-1);
  const heading = 'Latest exchange';
  if (!session || !latest || isUnderWay(latest)) return { heading, commands: [] };
  const mayRun = !session.agentDeleted;
  const again = (model?: string) => regenerate.mutateAsync({ taskId: latest.id, model }).catch(toastError);
  // The built-in model answers under every name.
  const models = me?.modelProvider.kind === 'offline' ? [] : (me?.models ?? []);
  const commands: Command[] = [
    ...(latest.message === ''
      ? []
      : [{ id: 'copy-answer', label: 'Copy answer', keywords: ['latest'], run: () => void copyText(latest.message) }]),
    ...(mayRun
      ? [
          {
            id: 'edit-message',
            label: 'Edit message',
            keywords: ['last', 'latest'],
            run: () => wishFor('edit-message'),
          },
          { id: 'regenerate', label: 'Regenerate answer', keywords: ['again', 'latest'], run: () => void again() },
          ...(models.length < 2 ? [] : models).map((model) => ({
            id: `regenerate ${model.id}`,
            label: `Regenerate answer with ${model.label}`,
            keywords: ['again', 'model'],
            run: () => void again(model.id),
          })),
        ]
      : []),
    ...commandsOf(latest, mayRun)
      .filter(({ disabled }) => disabled !== true)
      .map(({ id: of, label, run }) => ({ id: of, label, keywords: ['latest'], run })),
  ];
  return { heading, commands, only: 'typed' };
}

const RECENT = 5;

function useRecentSessions(latest: readonly Session[]): CommandGroup {
  const navigate = useNavigate();
  const commands = latest.slice(0, RECENT).map(({ id, name, agentName, createdAt }) => ({
    id: `recent ${id}`,
    label: name,
    aside: `${dayOf(createdAt)} · ${agentName}`,
    run: () => void navigate(exchangePath(id)),
  }));
  return { heading: 'Recent sessions', commands, only: 'untyped' };
}

/** The agents that were used last, while nothing is typed. */
function useRecentAgents(agents: readonly Agent[], latest: readonly Session[]): CommandGroup {
  const { start } = useStartChat();
  const commands = lastUsedFirst(agents, latest)
    .slice(0, RECENT)
    .map((agent) => ({
      id: `recent ${agent.id}`,
      label: `New session with ${agent.name}`,
      run: () => start(agent),
    }));
  return { heading: 'Agents', commands, only: 'untyped' };
}
