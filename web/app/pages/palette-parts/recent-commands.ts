import type { Agent } from '@atelier/contract/agents';
import type { Session } from '@atelier/contract/sessions';
import { useNavigate } from 'react-router';
import type { CommandGroup } from '../../features/search/commands.ts';
import { lastUsedFirst } from '../../features/sessions/session-pages.ts';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { exchangePath } from '../../lib/addresses.ts';
import { dayOf } from '../../ui/formats.ts';

const SHOWN = 5;

/** The latest sessions, while nothing is typed. */
export function useRecentSessions(latest: readonly Session[]): CommandGroup {
  const navigate = useNavigate();
  const commands = latest.slice(0, SHOWN).map(({ id, name, agentName, createdAt }) => ({
    id: `recent ${id}`,
    label: name,
    aside: `${dayOf(createdAt)} · ${agentName}`,
    run: () => void navigate(exchangePath(id)),
  }));
  return { heading: 'Recent sessions', commands, only: 'untyped' };
}

/** The agents that were used last, while nothing is typed. */
export function useRecentAgents(agents: readonly Agent[], latest: readonly Session[]): CommandGroup {
  const { start } = useStartChat();
  const commands = lastUsedFirst(agents, latest)
    .slice(0, SHOWN)
    .map((agent) => ({
      id: `recent ${agent.id}`,
      label: `New session with ${agent.name}`,
      run: () => start(agent),
    }));
  return { heading: 'Agents', commands, only: 'untyped' };
}
