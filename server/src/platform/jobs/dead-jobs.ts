import type { PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import type { QueueWorker } from './queue-worker.ts';

/** How often a process gives a sign of life for the jobs that it runs, and how often the others look for one. */
const SIGNS_A_LOOK = 6;
const LOOK_MS = 60_000;

/** Jobs under way, each with its sign of life; pg-boss writes the first one when it hands a job out. */
const ACTIVE = `select name, id, coalesce(heartbeat_on, started_on)::text as sign from pgboss.job_common where state = 'active'`;

const active = z.array(z.object({ name: z.string(), id: z.string(), sign: z.string() }));
type Active = z.infer<typeof active>;

interface Options {
  boss: PgBoss;
  database: Pick<Database, 'kind' | 'executeSql'>;
  log: Log;
  workers: ReadonlyMap<string, QueueWorker>;
  /** Jobs were given back: somebody has to take them when their pause is over. */
  onGivenBack: () => Promise<void>;
  lookMs?: number | undefined;
}

/**
 * Gives back the jobs of processes that died, each with an attempt used. The embedded database has one process, so at its start every job
 * under way is a dead one's. On PostgreSQL processes give signs of life, and one that is the same in two looks is a dead one's: so neither a clock
 * that jumps nor a database that was away makes a living job dead.
 */
export async function watchDeadJobs({ boss, database, log, workers, onGivenBack, lookMs = LOOK_MS }: Options) {
  const activeJobs = async () => active.parse((await database.executeSql(ACTIVE)).rows);
  const giveBack = async (jobs: Active) => {
    for (const { name, id } of jobs) await boss.fail(name, id, new Error('the process that ran it is gone'));
  };
  if (database.kind === 'pglite') {
    await giveBack(await activeJobs());
    return () => {};
  }
  const sign = async () => {
    for (const [name, worker] of workers) if (worker.running().length > 0) await boss.touch(name, worker.running());
  };
  let before: Active = [];
  const look = async () => {
    const last = before;
    // If this look fails, the next one compares with nothing: the jobs of living processes could give no sign either.
    before = [];
    before = await activeJobs();
    const dead = before.filter(({ id, sign: now }) => last.some((job) => job.id === id && job.sign === now));
    await giveBack(dead);
    if (dead.length > 0) await onGivenBack();
  };
  const every = (ms: number, work: () => Promise<void>) =>
    setInterval(() => void work().catch((error: unknown) => log.error('jobs.signs', error)), ms);
  const timers = [every(lookMs / SIGNS_A_LOOK, sign), every(lookMs, look)];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
