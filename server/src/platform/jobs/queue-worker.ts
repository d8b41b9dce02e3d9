import type { Job } from 'pg-boss';

export interface QueueWorker {
  /** There may be work: takes jobs until none is left. Never throws. */
  wake(): void;
  /** Begins nothing more; resolves when nothing runs. */
  end(): Promise<void>;
  /** The ids of the jobs that run now. */
  running(): string[];
}

interface Options {
  atOnce: number;
  pauseMs: number;
  /** Takes the next job that is due. */
  fetch: () => Promise<Job<object> | undefined>;
  /** Runs a job and stores how it ended. */
  work: (job: Job<object>) => Promise<void>;
  onError: (error: unknown) => void;
}

/** Works on one queue whenever it is woken; asks the database nothing in between. */
export function createQueueWorker({ atOnce, pauseMs, fetch, work, onError }: Options): QueueWorker {
  /** Whether something may have come since the last fetch began. */
  let mayHaveMore = false;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const lanes = new Set<Promise<void>>();
  const running = new Set<string>();

  async function takeJobs(): Promise<void> {
    while (mayHaveMore && !ended) {
      mayHaveMore = false;
      const job = await fetch();
      if (job === undefined) continue;
      running.add(job.id);
      // Where one job was there may be more: for a second lane now, or for this one afterwards.
      wakeNow();
      await work(job).finally(() => running.delete(job.id));
    }
  }

  function wakeNow(): void {
    mayHaveMore = true;
    if (lanes.size >= atOnce || ended) return;
    const lane = takeJobs()
      .catch(onError)
      .finally(() => {
        lanes.delete(lane);
        // A notice may have come after this lane's last fetch, when no other lane was allowed.
        if (mayHaveMore) wakeNow();
      });
    lanes.add(lane);
  }

  return {
    wake() {
      if (pauseMs === 0) wakeNow();
      else
        timer ??= setTimeout(() => {
          timer = undefined;
          wakeNow();
        }, pauseMs);
    },
    async end() {
      ended = true;
      clearTimeout(timer);
      await Promise.all(lanes);
    },
    running: () => [...running],
  };
}
