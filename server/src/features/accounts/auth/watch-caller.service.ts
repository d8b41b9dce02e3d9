import { SENTENCES } from '@atelier/contract/errors';
import type { Context } from 'hono';
import type { AppEnv } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';

const RECHECK_MS = 60_000;
const RETRY_MS = 1_000;

/** Calls back when the sign-in or key of a request that goes on has ended. Returns how to stop watching. */
export function watchCaller(deps: Pick<Deps, 'live'>, c: Context<AppEnv>, onEnd: () => void): () => void {
  let isWatching = true;
  let retry: NodeJS.Timeout | undefined;
  const recheck = async (): Promise<void> => {
    clearTimeout(retry);
    try {
      if ((await c.get('findCaller')()) === null && isWatching) onEnd();
    } catch {
      // While the database is away no sign-in ends; check again as soon as it is back.
      clearTimeout(retry);
      if (isWatching) retry = setTimeout(recheck, RETRY_MS);
    }
  };
  const unsubscribe = deps.live.subscribe(c.get('caller').uid, ({ event, data }) => {
    if (event === 'changed' && (data.topic === 'auth' || data.topic === 'keys')) void recheck();
  });
  const timer = setInterval(recheck, RECHECK_MS);
  return () => {
    isWatching = false;
    unsubscribe();
    clearTimeout(retry);
    clearInterval(timer);
  };
}

/** What is sent piece by piece, for as long as the caller stays signed in: it breaks off then, however slowly it is read. */
export async function* whileSignedIn<T>(
  deps: Pick<Deps, 'live'>,
  c: Context<AppEnv>,
  pieces: AsyncIterable<T>,
): AsyncGenerator<T> {
  let hasEnded = false;
  const stop = watchCaller(deps, c, () => (hasEnded = true));
  try {
    for await (const piece of pieces) {
      if (hasEnded) throw new AppError('signed_out', SENTENCES.signedOut);
      yield piece;
    }
  } finally {
    stop();
  }
}
