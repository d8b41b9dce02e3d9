import type { PublicAgent } from '@atelier/contract/explore';
import { useAgents } from '../../features/agents/agents.api.ts';
import { useTryAgent } from '../../features/explore/use-try-agent.ts';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';

/** Opens a chat with a public agent, if one more session is allowed. */
export function useTry() {
  const agents = useAgents();
  const chat = useStartChat();
  const { run, isPending } = useTryAgent(async () => agents.data ?? (await agents.refetch()).data ?? [], chat.start);
  return { run: (agent: PublicAgent) => void (chat.mayStart() && run(agent)), isPending };
}
