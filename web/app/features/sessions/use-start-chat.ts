import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { useNavigate } from 'react-router';
import { chatPath } from '../../lib/addresses.ts';
import { useAuth } from '../../lib/auth.tsx';
import { ApiError } from '../../lib/http.ts';
import { toast } from '../../ui/overlay/toast.tsx';

/** Opens the composer for an agent, from any page: the first message makes the session. At a free account's limit, says so instead. */
export function useStartChat() {
  const { me } = useAuth();
  const navigate = useNavigate();
  const { sayLimit } = useSessionRefusal();
  const limit = me?.limits.sessions ?? null;
  const isFull = limit !== null && (me?.usage.sessionCount ?? 0) >= limit;
  /** Whether another session may be started; otherwise says why. Call it before work that would be wasted. */
  const mayStart = () => {
    if (!isFull) return true;
    sayLimit(SENTENCES.sessionLimit);
    return false;
  };
  const open = ({ id }: Pick<Agent, 'id'>) => void navigate(chatPath(id), { state: { fresh: true } });
  const start = (agent: Pick<Agent, 'id'>) => mayStart() && open(agent);
  return { start, open, mayStart, isFull };
}

/** The last notice of a limit: said again, it takes the place of that one. */
let limitNotice: number | undefined;

/** Says why a session was not started: a limit of the free plan with a link to upgrade, otherwise that it failed. */
export function useSessionRefusal() {
  const navigate = useNavigate();
  const sayLimit = (sentence: string) => {
    if (limitNotice !== undefined) toast.dismiss(limitNotice);
    const action = { label: 'Upgrade to Pro', onClick: () => void navigate('/billing') };
    limitNotice = toast.warning(sentence, { action });
  };
  const sayRefusal = (error: unknown) => {
    if (error instanceof ApiError && error.code === 'limit_reached') sayLimit(error.message);
    else toast.error(SENTENCES.sessionFailed);
  };
  return { sayLimit, sayRefusal };
}
