import { SENTENCES } from '@atelier/contract/errors';
import { ApiError } from '../../lib/http.ts';
import { toast } from '../../ui/toast.tsx';

/** Says why no session was started: at the limit of a free account in the server's words, else that it failed. */
export function sayRefusal(error: unknown): void {
  if (error instanceof ApiError && error.code === 'limit_reached') toast.warning(error.message);
  else toast.error(SENTENCES.sessionFailed);
}
