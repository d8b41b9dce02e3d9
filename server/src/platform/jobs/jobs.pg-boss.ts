import { sql } from 'drizzle-orm';
import { PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { deleteInPortions } from '../database/portions.ts';
import { type Log, silentLog } from '../log.ts';
import { createAlarm } from './alarm.ts';
import { INDEX_FAILED } from './job-list.ts';
import { JOB_CHANNEL, JOBS, type JobRow, sendStatement } from './job-statements.ts';
import type { Cron, Jobs, NewJob } from './jobs.ts';
import { endWorkers, openWorker, type Queue, type QueueWorker } from './queue-worker.ts';

/** How often pg-boss looks for jobs that take longer than they may. */
const SUPERVISE_SECONDS = 300;
const HOUR = 3_600;

/** pg-boss as the store of the jobs. It only looks after them now and then; everything else is asked of it when there is something to do. */
function openBoss(database: Pick<Database, 'kind' | 'executeSql'>, log: Log, supervise = true): PgBoss {
  const boss = new PgBoss({
    backend: database.kind,
    db: { executeSql: (text, values) => database.executeSql(text, values) },
    schedule: false,
    supervise,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    bamIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: HOUR,
    // Ours are the only changes to queues, and no job depends on another.
    queueCacheIntervalSeconds: 24 * HOUR,
    flowIntervalSeconds: 24 * HOUR,
  });
  boss.on('error', (error) => log.error('jobs', error));
  return boss;
}

const ofUser = (userId: string) => sql`data ->> 'userId' = ${userId}`;

async function createQueues(boss: PgBoss, names: Iterable<string>): Promise<void> {
  const queueNames = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const name of names) if (!queueNames.has(name)) await boss.createQueue(name);
}

/** Makes the store of the jobs with these queues and begins none; for a database that is being restored. */
export async function makeJobStore(
  database: Pick<Database, 'kind' | 'executeSql'>,
  queues: Iterable<string>,
): Promise<void> {
  const boss = openBoss(database, silentLog, false);
  await boss.start();
  await createQueues(boss, queues);
  await boss.stop({ graceful: false });
}

/** What the process declares: its queues, and whether they may be used yet. */
function createRegister() {
  const queues = new Map<string, Queue>();
  let state: 'declaring' | 'starting' | 'ready' = 'declaring';
  const handle: Jobs['handle'] = (name, fn, { retryLimit = 3, cron, atOnce = 1, pauseMs = 0 } = {}) => {
    if (state !== 'declaring') throw new Error(`the queue ${name} was declared after the start`);
    queues.set(name, { run: fn as Queue['run'], retryLimit, cron, atOnce, pauseMs });
  };
  return {
    queues,
    handle,
    isStarted: () => state !== 'declaring',
    enter: (next: 'starting' | 'ready') => void (state = next),
    rowOf({ queue, ...job }: NewJob): JobRow {
      // Waiting here would never end: on the embedded database the start needs the connection that this transaction holds.
      if (state !== 'ready') throw new Error(`a job for ${queue} was sent before the jobs had started`);
      const declared = queues.get(queue);
      if (declared === undefined) throw new Error(`there is no queue ${queue}`);
      return { queue, ...job, retryLimit: declared.retryLimit };
    },
    /** The jobs that come by themselves. */
    periodic: (): JobRow[] =>
      [...queues].flatMap(([queue, { cron, retryLimit }]) =>
        cron === undefined ? [] : [{ queue, data: {}, retryLimit, periodSeconds: 60 * minutesOf(cron) }],
      ),
  };
}

const minutesOf = (cron: Cron) => (cron === '* * * * *' ? 1 : Number(cron.slice('*/'.length, cron.indexOf(' '))));

/**
 * Jobs that pg-boss stores in the same database (schema `pgboss`), so they commit and roll back together with their data. A notice, sent by
 * the same commit, begins them in every process that has time; nobody polls.
 */
export function createJobs(options: {
  database: Database;
  log: Log;
  /** How often regular jobs are added: at least as often as the shortest period, a minute. */
  roundMs?: number;
  /** How often jobs of dead processes are looked for. */
  lookMs?: number;
}): Jobs {
  const { database, log, roundMs = 60_000, lookMs } = options;
  const { queues, handle, rowOf, periodic, enter, isStarted } = createRegister();
  const workers = new Map<string, QueueWorker>();
  const boss = openBoss(database, log);
  const alarm = createAlarm({ database, log, roundMs, wake: (name) => workers.get(name)?.wake(), periodic });
  const ctx = { boss, log, alarm, closing: new AbortController() };
  let stopListening = async () => {};
  let stopWatching = () => {};

  const sendAll: Jobs['sendAll'] = async (tx, jobs) => {
    if (jobs.length > 0) await tx.execute(sendStatement(jobs.map(rowOf)));
  };
  return {
    handle,
    send: (tx, queue, data, more) => sendAll(tx, [{ queue, data, ...more }]),
    sendAll,
    removeWaiting: async (tx, userId) =>
      void (await tx.execute(sql`delete from ${JOBS} where state < 'active' and ${ofUser(userId)}`)),
    removeAll: (userId) => deleteInPortions(database.db, JOBS, ofUser(userId)),
    async start() {
      enter('starting');
      await boss.start();
      await createQueues(boss, queues.keys());
      await database.executeSql(INDEX_FAILED);
      for (const [name, queue] of queues) workers.set(name, openWorker(ctx, name, queue));
      stopWatching = await watchDeadJobs({ boss, database, log, workers, lookMs, onGivenBack: () => alarm.look() });
      stopListening = await database.listen(JOB_CHANNEL, alarm.noticed, () => void alarm.look());
      enter('ready');
      await alarm.start();
    },
    async stop() {
      if (!isStarted()) return;
      stopWatching();
      await stopListening();
      await alarm.stop();
      await endWorkers(ctx, workers).catch((error: unknown) => log.error('jobs.stop', error));
      await boss.stop({ graceful: false });
    },
  };
}

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
async function watchDeadJobs({ boss, database, log, workers, onGivenBack, lookMs = LOOK_MS }: Options) {
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
