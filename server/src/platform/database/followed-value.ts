import type { LiveEvents } from '@atelier/contract/live';
import type { Live } from '../live.ts';
import type { Log } from '../log.ts';

/** Something in the database, as this process knows it. */
export type FollowedValue<T> = ReturnType<typeof followStored<T>>;

interface Stored<T> {
  /** The log's name for a failed read. */
  name: string;
  read: () => Promise<T>;
  /** Whether a notice is about it. */
  concerns: (notice: LiveEvents['changed']) => boolean;
  /** Called with what counts from now on. */
  apply?: (value: T) => void;
}

/** Every process listens under this name, as a person's page does under their id. */
export const PROCESSES = ':process';
/** After an error, above all of the database. */
const AGAIN_MS = 1_000;

/** Knows something by reading it again at each notice that it changed, or that notices may have been missed. Of reads at once the newest counts. */
export function followStored<T>({ live, log }: { live: Pick<Live, 'subscribe'>; log: Log }, stored: Stored<T>) {
  let begun = 0;
  let cached: { turn: number; value: T } | undefined;
  /** The newest read; after one that failed, what was known before. */
  let latest: Promise<T> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** Reads it again: a change of one's own counts at once. */
  const read = () => (latest = readStored());
  async function readStored(): Promise<T> {
    clearTimeout(timer);
    begun += 1;
    const turn = begun;
    try {
      const value = await stored.read();
      if (cached !== undefined && cached.turn > turn) return cached.value;
      cached = { turn, value };
      if (!isStopped) stored.apply?.(value);
      return value;
    } catch (error) {
      if (turn === begun) latest = cached && Promise.resolve(cached.value);
      if (turn === begun && !isStopped) timer = setTimeout(readAgain, AGAIN_MS).unref();
      throw error;
    }
  }
  const readAgain = () => void read().catch((error: unknown) => log.error(stored.name, error));
  const unsubscribe = live.subscribe(PROCESSES, ({ event, data }) => {
    if (event === 'hello' || (event === 'changed' && stored.concerns(data))) readAgain();
  });
  return {
    /** What was read last, or is being read: who hears of a change asks at once. Rejects while the database is away and it was never read. */
    now: async (): Promise<T> => {
      try {
        return await (latest ?? read());
      } catch (error) {
        if (cached === undefined) throw error;
        return cached.value;
      }
    },
    read,
    /** Hears of no more changes. */
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
