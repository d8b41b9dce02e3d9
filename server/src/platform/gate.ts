import { AppError } from './errors.ts';

export interface GateRule {
  /** How much of the work goes on at once. */
  atOnce: number;
  /** How much may wait for it; what comes beyond is refused with 503. */
  waiting: number;
}

/** Lets so much work through at once and keeps the rest in the order in which it came. */
export interface Gate {
  /** Does the work when its turn comes. Throws `unavailable` where too much waits already. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How often work has begun. */
  readonly begun: number;
}

export function createGate({ atOnce, waiting }: GateRule): Gate {
  const queue: (() => void)[] = [];
  let running = 0;
  let begun = 0;
  return {
    get begun() {
      return begun;
    },
    async run(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) {
          throw new AppError('unavailable', 'The server is busy. Please try again in a moment.', {
            retryAfterSeconds: 2,
          });
        }
        // Work that ends hands its place over, so that nothing that came later gets in between.
        await new Promise<void>((enter) => queue.push(enter));
      } else running += 1;
      begun += 1;
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
