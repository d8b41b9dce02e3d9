import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { useNavigate } from 'react-router';
import { chatPath } from '../../lib/addresses.ts';
import { useAuth } from '../../lib/auth.tsx';
import { toastLimit } from '../../lib/toast-error.ts';

/** Opens the composer for an agent, from any page: the first message makes the session. At a free account's limit, says so instead. */
export function useStartChat() {
  const { me } = useAuth();
  const navigate = useNavigate();
  const limit = me?.limits.sessions ?? null;
  const isFull = limit !== null && (me?.usage.sessionCount ?? 0) >= limit;
  /** Whether another session may be started; otherwise says why. Call it before work that would be wasted. */
  const mayStart = () => {
    if (!isFull) return true;
    toastLimit(SENTENCES.sessionLimit);
    return false;
  };
  const open = ({ id }: Pick<Agent, 'id'>) => void navigate(chatPath(id), { state: { fresh: true } });
  const start = (agent: Pick<Agent, 'id'>) => mayStart() && open(agent);
  return { start, open, mayStart, isFull };
}
