import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import type { Jobs } from './jobs.ts';

/** Says which queue has work, at the commit that brings it. */
export const JOB_CHANNEL = 'atelier_jobs';
/** The notice of a job that must wait: somebody has to look when it is due. */
export const DUE_LATER = '';

/** pg-boss's table of all queues. */
export const JOBS = sql`pgboss.job_common`;

const DAY = 86_400;
const RETRY_SECONDS = 2;
const KEEP_WAITING_SECONDS = 14 * DAY;
const KEEP_DONE_SECONDS = DAY;

export interface JobRow {
  queue: string;
  data: object;
  retryLimit: number;
  startAfterSeconds?: number;
  singletonKey?: string;
  /** At most one job of the queue in each such period, by the database's clock. */
  periodSeconds?: number;
}

/**
 * Stores jobs and announces them. pg-boss could too, with a statement for each queue, and without a notice for jobs that must wait. Its
 * unique indexes make the keys: `short` means one waiting job per key.
 */
function insertJobs(rows: JobRow[], onConflict: SQL): SQL {
  return sql`
    insert into pgboss.job_common as waiting (name, data, start_after, singleton_key, singleton_on, policy, keep_until,
      retry_limit, retry_delay, retry_backoff, deletion_seconds)
    select queue, data, now() + pause, "singletonKey",
      to_timestamp(floor(extract(epoch from now()) / "periodSeconds") * "periodSeconds") at time zone 'utc',
      case when "singletonKey" is null then 'standard' else 'short' end,
      now() + pause + make_interval(secs => ${KEEP_WAITING_SECONDS}), "retryLimit", ${RETRY_SECONDS}, true,
      coalesce("periodSeconds", ${KEEP_DONE_SECONDS})
    from (
      select *, make_interval(secs => coalesce("startAfterSeconds", 0)) as pause from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as
        r(queue text, data jsonb, "retryLimit" int, "startAfterSeconds" float8, "singletonKey" text, "periodSeconds" int)
    ) as jobs
    on conflict ${onConflict}
    returning pg_notify(${JOB_CHANNEL}, case when start_after <= now() then name else ${DUE_LATER} end)`;
}

/**
 * The statement that sends jobs. A waiting job with the same key is updated: so it stays locked until this commit and can't begin before it,
 * unaware of what it is to see.
 */
export function sendStatement(rows: JobRow[]): SQL {
  // One statement can't update a row twice.
  const last = new Map(rows.map((row, at) => [JSON.stringify([row.queue, row.singletonKey ?? at]), row]));
  return insertJobs(
    [...last.values()],
    sql`(name, coalesce(singleton_key, '')) where state = 'created' and policy = 'short'
      do update set data = excluded.data, start_after = least(waiting.start_after, excluded.start_after)`,
  );
}

/** Sends jobs and does none, for a command beside the server; `retryLimit` as the server declares it for their queue. */
export const sendOnly = (retryLimit: number): Pick<Jobs, 'send'> => ({
  send: async (tx, queue, data, more) => void (await tx.execute(sendStatement([{ queue, data, ...more, retryLimit }]))),
});

/** The statement that adds the jobs of regular queues which nobody has added in this period. */
export const periodicStatement = (rows: JobRow[]): SQL => insertJobs(rows, sql`do nothing`);

/** Each queue that has jobs: whether one is due, and in how many seconds the next one is that is not due yet. */
export const NEXT_DUE = `
  select name, bool_or(start_after <= now()) as due,
    extract(epoch from min(start_after) filter (where start_after > now()) - now())::float8 as seconds
  from pgboss.job_common where state < 'active' and not blocked group by name`;

/**
 * The jobs that have not ended, as they are sent again elsewhere: regular ones come by themselves, and one that was at work begins again. None
 * before the server's first start.
 */
export async function jobsToKeep(database: Pick<Database, 'executeSql'>): Promise<JobRow[]> {
  const { rows: made } = await database.executeSql(`select to_regclass('pgboss.job_common')::text as made`, []);
  if (made[0]?.made === null) return [];
  const { rows } = await database.executeSql(
    `select name, data, retry_limit, singleton_key, greatest(0, extract(epoch from start_after - now()))::float8 as pause
     from pgboss.job_common where state < 'completed' and singleton_on is null order by created_on, id`,
    [],
  );
  return rows.map(({ name, data, retry_limit, singleton_key, pause }) => ({
    queue: String(name),
    data: Object(data),
    retryLimit: Number(retry_limit),
    startAfterSeconds: Number(pause),
    ...(typeof singleton_key === 'string' ? { singletonKey: singleton_key } : {}),
  }));
}
