import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import type { PublicAgent } from '@atelier/contract/explore';
import { toast } from '../../ui/overlay/toast.tsx';
import { useCopyAgent } from './explore.api.ts';

/** The agent to talk with for a public one: itself where it is one's own, else a copy that was made of it before. */
export function findOwn(agents: readonly Agent[], { creatorId, id }: Pick<PublicAgent, 'creatorId' | 'id'>) {
  return agents.find(
    (own) =>
      (own.creatorId === creatorId && own.id === id) ||
      (own.forkedFrom?.creatorId === creatorId && own.forkedFrom.agentId === id),
  );
}

/** Hands on one's own agent for a public one; makes the copy where there is none yet. */
export function useTryAgent(own: () => Promise<readonly Agent[]>) {
  const copy = useCopyAgent();
  const run = async (agent: PublicAgent, start: (agent: Agent) => void) => {
    const ownAgent = findOwn(await own(), agent);
    if (ownAgent) return start(ownAgent);
    // The palette that began it may be closed by then.
    await copy.mutateAsync(agent).then(start, () => toast.error(SENTENCES.agentSaveFailed));
  };
  return { run, isPending: copy.isPending };
}
