import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import { DUE_LATER, type JobRow, NEXT_DUE, periodicStatement } from './job-statements.ts';

/** When to look again after the database refused. */
const AGAIN_MS = 5_000;

const nextDue = z.array(z.object({ name: z.string(), due: z.boolean(), seconds: z.number().nullable() }));

export type Alarm = ReturnType<typeof createAlarm>;

interface Options {
  database: Database;
  log: Log;
  /** How often regular jobs are added, and how late a job may be whose notice was lost. */
  roundMs: number;
  wake: (queue: string) => void;
  /** The jobs that come by themselves. */
  periodic: () => JobRow[];
}

/** Runs `work` once at a time. A call while it runs runs it once more, because what changed meanwhile may have escaped it. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  return () => {
    again = true;
    running ??= (async () => {
      while (again) {
        again = false;
        await work();
      }
      running = undefined;
    })();
    return running;
  };
}

/** Wakes queues: at a notice, and when the time of a job has come that had to wait. */
export function createAlarm({ database, log, roundMs, wake, periodic }: Options) {
  let clock: NodeJS.Timeout | undefined;
  let rounds: NodeJS.Timeout | undefined;
  let stopped = false;

  function setClock(ms: number): void {
    clearTimeout(clock);
    if (!stopped && ms < roundMs) clock = setTimeout(() => void look(), ms);
  }

  /** A queue could not be read; looks again soon. */
  function failed(error: unknown): void {
    if (stopped) return;
    log.error('jobs', error);
    setClock(AGAIN_MS);
  }

  async function wakeAllDue(): Promise<void> {
    if (stopped) return;
    const queues = nextDue.parse((await database.executeSql(NEXT_DUE)).rows);
    const later = queues.map(({ seconds }) => seconds ?? Infinity);
    setClock(Math.ceil(Math.min(...later) * 1000));
    for (const { name, due } of queues) if (due) wake(name);
  }
  /** Wakes every queue that has a job to do, and sets the clock for the next one. Never throws. */
  const look = oneAtATime(() => wakeAllDue().catch(failed));

  const makeRound = oneAtATime(async () => {
    const rows = stopped ? [] : periodic();
    if (rows.length > 0) await database.db.execute(periodicStatement(rows)).catch(failed);
    await look();
  });

  return {
    start() {
      rounds = setInterval(() => void makeRound(), roundMs);
      return look();
    },
    /** Receives the notices of new jobs. */
    noticed: (payload: string) => (payload === DUE_LATER ? void look() : wake(payload)),
    look,
    failed,
    stop() {
      stopped = true;
      clearInterval(rounds);
      clearTimeout(clock);
      // Also waits for the round that is under way: it writes.
      return makeRound();
    },
  };
}
