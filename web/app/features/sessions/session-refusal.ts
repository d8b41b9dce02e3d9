import { SENTENCES } from '@atelier/contract/errors';
import { useNavigate } from 'react-router';
import { ApiError } from '../../lib/http.ts';
import { toast } from '../../ui/overlay/toast.tsx';

/** The last notice of a limit: said again, it takes the place of that one. */
let said: number | undefined;

/** Says why a session was not started: a limit of the free plan with a link to upgrade, otherwise that it failed. */
export function useSessionRefusal() {
  const navigate = useNavigate();
  const sayLimit = (sentence: string) => {
    if (said !== undefined) toast.dismiss(said);
    const action = { label: 'Upgrade to Pro', onClick: () => void navigate('/billing') };
    said = toast.warning(sentence, { action });
  };
  const sayRefusal = (error: unknown) => {
    if (error instanceof ApiError && error.code === 'limit_reached') sayLimit(error.message);
    else toast.error(SENTENCES.sessionFailed);
  };
  return { sayLimit, sayRefusal };
}
