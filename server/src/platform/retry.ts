import { setTimeout as pause } from 'node:timers/promises';

const SHORTEST_MS = 100;
const LONGEST_MS = 2_000;

/**
 * Retries `work` until it succeeds, with pauses of 0.1 to 2 s; throws its last error once `signal` aborts, and an error that isn't worth another
 * attempt. `failed` is called for the first failure and every tenth.
 */
export async function retryUntil<T>(
  signal: AbortSignal,
  work: (attempt: number) => Promise<T>,
  failed: (error: unknown, attempt: number) => void,
  isWorthIt: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (signal.aborted || !isWorthIt(error)) throw error;
      if (attempt === 1 || attempt % 10 === 0) failed(error, attempt);
      const rest = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (attempt - 1));
      // An abort only shortens the pause: one last attempt follows.
      await pause(rest, undefined, { signal }).catch(() => {});
    }
  }
}

/** Loads with the first call, once for all of them; a load that failed is tried again with the next call. `begun` loads nothing. */
export function loadOnce<T>(load: () => Promise<T>) {
  let loaded: Promise<T> | undefined;
  const get = () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
  return Object.assign(get, { begun: () => loaded });
}
