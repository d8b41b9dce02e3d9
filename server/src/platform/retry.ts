import { setTimeout as pause } from 'node:timers/promises';

const SHORTEST_MS = 100;
const LONGEST_MS = 2_000;

/**
 * Repeats `work` until it succeeds, with rests of 0.1 to 2 s between two tries; throws its last error once `signal` aborts. `failed`
 * hears of the first failure and of each tenth.
 */
export async function retryUntil<T>(
  signal: AbortSignal,
  work: (attempt: number) => Promise<T>,
  failed: (error: unknown, attempt: number) => void,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (signal.aborted) throw error;
      if (attempt === 1 || attempt % 10 === 0) failed(error, attempt);
      const rest = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (attempt - 1));
      // An abort only shortens the rest: what could not be done is tried once more.
      await pause(rest, undefined, { signal }).catch(() => {});
    }
  }
}
