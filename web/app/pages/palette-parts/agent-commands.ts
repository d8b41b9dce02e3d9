import type { Agent } from '@atelier/contract/agents';
import { useNavigate } from 'react-router';
import type { CommandGroup } from '../../features/search/commands.ts';
import { fetchLatestSession } from '../../features/sessions/sessions.api.ts';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { exportAddress } from '../../features/transfer/transfer.api.ts';
import { whileHere } from '../../lib/navigate-after.ts';
import { saveFrom } from '../../lib/save-from.ts';
import { toastError } from '../../lib/toast-error.ts';
import { useWorkspace } from './workspace-commands.ts';

/** For each agent: its sessions, its memories and its file. */
export function useAgentCommands(agents: readonly Agent[]): CommandGroup {
  const navigate = useNavigate();
  const { show } = useWorkspace();
  const { start } = useStartChat();
  const switchTo = (agent: Agent) =>
    fetchLatestSession(agent.id).then(
      whileHere((latest) => void (latest ? navigate(`/runtime?sessionId=${latest.id}`) : start(agent))),
      toastError,
    );
  const commands = agents.flatMap((agent) => [
    {
      id: `new ${agent.id}`,
      label: `New session with ${agent.name}`,
      keywords: ['start', 'chat', 'agent'],
      run: () => start(agent),
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
      run: () => show({ agentId: agent.id }),
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
  return { heading: 'Agents', commands, only: 'typed' };
}
