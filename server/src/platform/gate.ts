import pLimit from 'p-limit';
import { AppError } from './errors.ts';

export interface GateRule {
  /** How much work runs at once. */
  atOnce: number;
  /** How much may wait; anything beyond is refused with 503. */
  waiting: number;
}

/** Runs this much work at once and queues the rest in order. */
export interface Gate {
  /** Runs the work when its turn comes. Throws `unavailable` when too much is waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How often work has started. */
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
