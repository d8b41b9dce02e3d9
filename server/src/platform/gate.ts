import pLimit from 'p-limit';
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
  const limit = pLimit(atOnce);
  let begun = 0;
  return {
    get begun() {
      return begun;
    },
    async run(work) {
      if (limit.activeCount + limit.pendingCount >= atOnce + waiting) {
        throw new AppError('unavailable', 'The server is busy. Please try again in a moment.', {
          retryAfterSeconds: 2,
        });
      }
      return limit(() => {
        begun += 1;
        return work();
      });
    },
  };
}
