/** At most `burst` at once, and `perMinute` in the long run. */
export interface Rate {
  burst: number;
  perMinute: number;
}

const KEYS_MAX = 10_000;

/** Counts how often each key did something: a token bucket per key, in this process's memory. */
export function createRates(now: () => number = () => performance.now()) {
  const buckets = new Map<string, { remaining: number; at: number; full: number }>();
  const forgetFull = () => {
    for (const [key, { full }] of buckets) if (full <= now()) buckets.delete(key);
  };
  return {
    /** Takes one token of the key; returns 0, or the seconds until there is one. */
    take(key: string, { burst, perMinute }: Rate): number {
      if (buckets.size > KEYS_MAX) forgetFull();
      const perMs = perMinute / 60_000;
      const bucket = buckets.get(key) ?? { remaining: burst, at: now() };
      const tokens = Math.min(burst, bucket.remaining + (now() - bucket.at) * perMs);
      const rest = tokens >= 1 ? tokens - 1 : tokens;
      buckets.set(key, { remaining: rest, at: now(), full: now() + (burst - rest) / perMs });
      return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs / 1000);
    },
  };
}

/** Counts how much each key has under way at once. */
export function createPlaces() {
  const counts = new Map<string, number>();
  const leave = (key: string) => {
    const rest = (counts.get(key) ?? 1) - 1;
    if (rest > 0) counts.set(key, rest);
    else counts.delete(key);
  };
  return {
    /** Takes a place under every key, or none. Returns how to give them back, which may be called twice; null when one is full. */
    enter(keys: readonly (readonly [key: string, max: number])[]): (() => void) | null {
      if (keys.some(([key, max]) => (counts.get(key) ?? 0) >= max)) return null;
      for (const [key] of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        for (const [key] of keys) leave(key);
      };
    },
  };
}

/** Runs a read when it may run, after so many bytes of the same stream `before`. */
type TakeTurn = <T>(read: () => Promise<T>, before: number) => Promise<T>;
type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Turn = Awaited<ReturnType<typeof readTurn>>;
/** Smaller pieces share a turn, and what ends before ends in it. */
const TURN_BYTES = 256 * 1024;

/** What is read in one turn. An empty piece ends it: something long follows. */
export async function readTurn(reader: Reader, atLeast = TURN_BYTES) {
  const pieces: Uint8Array[] = [];
  for (let size = 0; size < atLeast; ) {
    const { done, value } = await reader.read();
    if (done) return { done, pieces };
    pieces.push(value);
    if (value.length === 0) break;
    size += value.length;
  }
  return { done: false, pieces };
}

/**
 * What the reader reads, with `leave` called once it ends in any way. It is read one piece after another, each when the other side has taken
 * the last one and, where turns are given, by turn: between two turns it holds none. The `first` one may have been read already.
 */
export function boundedStream(
  reader: Reader,
  leave: () => void,
  take?: TakeTurn,
  first?: Turn,
): ReadableStream<Uint8Array> {
  let [sent, next] = [0, first];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const turn = next ?? (await (take?.(() => readTurn(reader), sent) ?? readTurn(reader, 1)));
          next = undefined;
          const [piece, ...more] = turn.pieces;
          for (const { length } of turn.pieces) sent += length;
          // A copy is memory that the collector has to clear.
          if (piece) controller.enqueue(more.length === 0 ? piece : Buffer.concat(turn.pieces));
          if (!turn.done) return;
          leave();
          controller.close();
        } catch (error) {
          leave();
          throw error;
        }
      },
      async cancel(reason) {
        leave();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
