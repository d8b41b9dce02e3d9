import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { useAuth } from '../../lib/auth.tsx';
import { useNavigateAfter } from '../../lib/navigate-after.ts';
import { useSessionRefusal } from './session-refusal.ts';
import { useCreateSession } from './sessions.api.ts';

/** Starts a session with an agent from any page and opens it; at a free account's limit, shows its sentence instead. */
export function useStartChat() {
  const { me } = useAuth();
  const navigateAfter = useNavigateAfter();
  const create = useCreateSession();
  const { sayLimit, sayRefusal } = useSessionRefusal();
  const limit = me?.limits.sessions ?? null;
  /** Whether another session may be started; otherwise says why. Call it before work that would be wasted. */
  const mayStart = () => {
    if (limit === null || (me?.usage.sessionCount ?? 0) < limit) return true;
    sayLimit(SENTENCES.sessionLimit);
    return false;
  };
  // A promise and not callbacks of `mutate`: the palette is closed before the answer.
  const start = (agent: Pick<Agent, 'id'>) => {
    const open = navigateAfter();
    void create
      .mutateAsync({ agentId: agent.id })
      .then((session) => open(`/runtime?sessionId=${session.id}`, { state: { fresh: true } }), sayRefusal);
  };
  return { start, mayStart, isPending: create.isPending };
}
