import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss } from 'pg-boss';
import type { Database, Tx } from './database/database.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './log.ts';
import { withoutWords } from './logged-error.ts';

// The embedded database has one connection on the main thread, so it is polled less often.
const POLL_SECONDS = { pglite: 2, postgres: 1 } as const;
const DAY = 86_400;
const NO_JOB = '00000000-0000-0000-0000-000000000000';

interface Queue {
  run: (data: object) => Promise<void>;
  retryLimit: number;
  cron: string | undefined;
  atOnce: number;
}

async function openQueue(
  boss: PgBoss,
  name: string,
  queue: Queue,
  { pollSeconds, log }: { pollSeconds: number; log: Log },
): Promise<void> {
  await boss.createQueue(name, {
    retryLimit: queue.retryLimit,
    retryDelay: 2,
    retryBackoff: true,
    retentionSeconds: 14 * DAY,
    deleteAfterSeconds: DAY,
  });
  const working = { pollingIntervalSeconds: pollSeconds, localConcurrency: queue.atOnce };
  await boss.work<object>(name, working, async (jobs) => {
    for (const job of jobs) {
      // A job's error is stored beside it, with every field of the error.
      await queue.run(job.data ?? {}).catch((error: unknown) => {
        log.error('jobs.failed', error, { queue: name });
        throw withoutWords(error);
      });
    }
  });
  if (queue.cron !== undefined) await boss.schedule(name, queue.cron);
  // Any call about a queue makes pg-boss remember it. Otherwise sending the first job would look it up on the outer handle, inside the
  // sender's transaction.
  await boss.getJobById(name, NO_JOB);
}

async function removeOf(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`delete from pgboss.job where data ->> 'userId' = ${userId}`);
}

/** Jobs that pg-boss stores in the same database (schema `pgboss`), so they commit and roll back together with their data. */
export function createJobs(options: {
  database: Database;
  log: Log;
  /** How often each queue is polled; half a second at least. */
  pollSeconds?: number;
}): Jobs {
  const { database, log, pollSeconds = POLL_SECONDS[options.database.kind] } = options;
  const queues = new Map<string, Queue>();
  const boss = new PgBoss({
    backend: database.kind,
    db: { executeSql: (text, values) => database.executeSql(text, values) },
    supervise: true,
    schedule: true,
  });
  boss.on('error', (error) => log.error('jobs', error));
  let started = false;
  let ready = false;

  return {
    handle(name, fn, { retryLimit = 3, cron, atOnce = 1 } = {}) {
      if (started) throw new Error(`the queue ${name} was declared after the start`);
      queues.set(name, { run: fn as Queue['run'], retryLimit, cron, atOnce });
    },
    async send(tx, name, data, { startAfterSeconds, singletonKey } = {}) {
      // Waiting here would never end: on the embedded database the start needs the connection that this transaction holds.
      if (!ready) throw new Error(`a job for ${name} was sent before the jobs had started`);
      await boss.send(name, data, {
        db: fromDrizzle(tx as unknown as Parameters<typeof fromDrizzle>[0], sql),
        ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
        ...(singletonKey === undefined ? {} : { singletonKey }),
      });
    },
    removeOf,
    async start() {
      started = true;
      await boss.start();
      for (const [name, queue] of queues) await openQueue(boss, name, queue, { pollSeconds, log });
      ready = true;
    },
    async stop() {
      if (started) await boss.stop({ graceful: true, timeout: 2_000 });
    },
  };
}
