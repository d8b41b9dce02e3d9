import type { Job, PgBoss } from 'pg-boss';
import { requestOrigin } from '../http/request-origin.ts';
import type { Log } from '../log.ts';
import { withoutWords } from '../logged-error.ts';
import { retryUntil } from '../retry.ts';
import type { Alarm } from './alarm.ts';
import type { Cron } from './jobs.ts';

/** How long running jobs may continue after a stop. */
const STOP_MS = 2_000;

export interface Queue {
  run: (data: object) => Promise<void>;
  retryLimit: number;
  cron: Cron | undefined;
  atOnce: number;
  pauseMs: number;
}

interface Context {
  boss: PgBoss;
  log: Log;
  alarm: Alarm;
  /** Aborted once nobody waits for running jobs any more. */
  closing: AbortController;
}

export type QueueWorker = ReturnType<typeof openWorker>;

/** Works on one queue whenever it is woken, and stores how each job ended; asks the database nothing in between. */
export function openWorker(ctx: Context, name: string, queue: Queue) {
  /** Whether something may have come since the last fetch began. */
  let mayHaveMore = false;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const lanes = new Set<Promise<void>>();
  const running = new Set<string>();

  async function takeJobs(): Promise<void> {
    while (mayHaveMore && !ended) {
      mayHaveMore = false;
      const [job] = await ctx.boss.fetch<object>(name);
      if (job === undefined) continue;
      running.add(job.id);
      // Where one job was there may be more: for a second lane now, or for this one afterwards.
      wakeNow();
      await runJob(ctx, name, queue, job).finally(() => running.delete(job.id));
    }
  }

  function wakeNow(): void {
    mayHaveMore = true;
    if (lanes.size >= queue.atOnce || ended) return;
    const lane = takeJobs()
      .catch(ctx.alarm.failed)
      .finally(() => {
        lanes.delete(lane);
        // A notice may have come after this lane's last fetch, when no other lane was allowed.
        if (mayHaveMore) wakeNow();
      });
    lanes.add(lane);
  }

  return {
    /** There may be work: takes jobs until none is left. Never throws. */
    wake(): void {
      if (queue.pauseMs === 0) wakeNow();
      else
        timer ??= setTimeout(() => {
          timer = undefined;
          wakeNow();
        }, queue.pauseMs);
    },
    /** Begins nothing more; resolves when nothing runs. */
    async end(): Promise<void> {
      ended = true;
      clearTimeout(timer);
      await Promise.all(lanes);
    },
    /** The ids of the jobs that run now. */
    running: () => [...running],
  };
}

async function runJob({ boss, log, alarm, closing }: Context, name: string, queue: Queue, job: Job<object>) {
  let failure: Error | undefined;
  try {
    await runInTime(queue, job);
  } catch (error) {
    log.error('jobs.failed', error, { queue: name });
    // A job's error is stored beside it, with every field of the error.
    failure = withoutWords(error);
  }
  if (closing.signal.aborted) return;
  // Wait for a database that is away: a job whose end is not stored is tried again.
  await retryUntil(
    AbortSignal.any([closing.signal, AbortSignal.timeout(job.expireInSeconds * 1000)]),
    () => (failure === undefined ? boss.complete(name, job.id) : boss.fail(name, job.id, failure)),
    (error) => log.error('jobs.end', error, { queue: name }),
  );
  if (failure !== undefined) await alarm.look();
}

/** Runs a job for as long as its row says; afterwards others may take it. */
async function runInTime(queue: Queue, { data, expireInSeconds }: Job<object>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('the job took too long')), expireInSeconds * 1000);
  try {
    // Whatever request woke the queue, its id is not the job's.
    await Promise.race([requestOrigin.exit(() => queue.run(data ?? {})), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the workers; jobs that don't end in time are given back. */
export async function endWorkers({ boss, closing }: Context, workers: Map<string, QueueWorker>): Promise<void> {
  const ends = Promise.all([...workers.values()].map((worker) => worker.end()));
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, STOP_MS);
  await Promise.race([ends, timeIsUp]);
  clearTimeout(timer);
  closing.abort();
  for (const [name, worker] of workers) {
    const ids = worker.running();
    if (ids.length > 0) await boss.fail(name, ids, new Error('the server stopped'));
  }
}
