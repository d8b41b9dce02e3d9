import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db, Tx } from '../database/database.ts';
import { JOB_CHANNEL, JOBS } from './job-statements.ts';

/** Finds failed jobs among many that are done. Not a migration: pg-boss makes its table when it starts. */
export const INDEX_FAILED = `do $$ begin
  if to_regclass('pgboss.job_common_failed') is null then
    create index job_common_failed on pgboss.job_common ((completed_on::timestamptz(3)), id) where state = 'failed';
  end if;
exception when duplicate_table or unique_violation then null; -- Another process has just made it.
end $$`;

const FAILED = sql`state = 'failed'`;
const WAITING = sql`state < 'active' and not blocked`;

/** A job as it is stored, without its data. */
export interface ListedJob {
  id: string;
  kind: string;
  /** When it failed; when it was sent, of one that waits. In milliseconds, as in the cursor. */
  at: Date;
  dueAt: Date | null;
  retries: number;
  error: string | null;
}

interface Which {
  state: 'failed' | 'waiting';
  kind?: string | undefined;
}

const moment = z.coerce.date();
const listed = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      at: moment,
      dueAt: moment.nullable(),
      retries: z.number(),
      error: z.string().nullable(),
    }),
  ),
});

/** Jobs that failed, or some of those that wait (at most `bound` are looked at): the latest before a place. */
export async function listJobs(
  db: Db,
  { state, kind }: Which,
  before: { at: Date; id: string } | undefined,
  { limit, bound }: { limit: number; bound: number },
): Promise<ListedJob[]> {
  const ofKind = kind === undefined ? sql`` : sql` and name = ${kind}`;
  const at = state === 'failed' ? sql`completed_on::timestamptz(3)` : sql`created_on::timestamptz(3)`;
  const some: SQL =
    state === 'failed'
      ? sql`${JOBS} where ${FAILED}${ofKind}`
      : sql`(select * from ${JOBS} where ${WAITING}${ofKind} limit ${bound}) as counted where true`;
  const behind = before && sql` and (${at}, id) < (${before.at.toISOString()}::timestamptz, ${before.id}::uuid)`;
  const result = await db.execute(sql`
    select id, name as kind, ${at} as at, case when ${FAILED} then null else start_after end as "dueAt",
      retry_count as retries, coalesce(output ->> 'message', output -> 'value' ->> 'message') as error
    from ${some}${behind ?? sql``} order by ${at} desc, id desc limit ${limit}`);
  return listed.parse(result).rows;
}

const counted = z.object({
  rows: z.array(z.object({ kind: z.string(), failed: z.coerce.number(), waiting: z.coerce.number() })),
});

/** How many jobs of each kind have failed and wait; of either, at most `bound` in all are counted. */
export async function countJobKinds(db: Db, bound: number) {
  const result = await db.execute(sql`
    select name as kind, count(*) filter (where is_failed) as failed, count(*) filter (where not is_failed) as waiting
    from (
      (select name, true as is_failed from ${JOBS} where ${FAILED} limit ${bound})
      union all (select name, false from ${JOBS} where ${WAITING} limit ${bound})
    ) as counted group by 1 order by 1`);
  return counted.parse(result).rows;
}

/** How many jobs have failed, at most `bound`, as an expression. */
export const countFailed = (bound: number): SQL =>
  sql`(select count(*) from (select from ${JOBS} where ${FAILED} limit ${bound}) as counted)`;

const changed = z.object({ rows: z.array(z.unknown()) });

interface JobKey {
  kind: string;
  id: string;
}

const isNamed = ({ kind, id }: JobKey): SQL => sql`name = ${kind} and id = ${id}::uuid and (${FAILED} or (${WAITING}))`;

const retryStatement = (which: SQL): SQL => sql`
  update ${JOBS} set state = case when ${FAILED} then 'retry'::pgboss.job_state else state end,
    retry_limit = retry_limit + (${FAILED})::int, start_after = now(), completed_on = null,
    keep_until = greatest(keep_until, now() + interval '14 days')
  where ${which} returning pg_notify(${JOB_CHANNEL}, name)`;

/** Has a failed job tried again, or one that waits at once. False where there is none. */
export const retryJob = async (tx: Tx, job: JobKey): Promise<boolean> =>
  changed.parse(await tx.execute(retryStatement(isNamed(job)))).rows.length > 0;

/** Tries a queue's jobs once more that failed an hour ago or earlier. Called regularly, none is ever given up, and operators see them as failed. */
export const retryFailedJobs = async (db: Db, queue: string): Promise<void> =>
  void (await db.execute(
    retryStatement(sql`name = ${queue} and ${FAILED} and completed_on < now() - interval '1 hour'`),
  ));

/** Deletes a job that has failed or waits. False where there is none. */
export async function deleteJob(tx: Tx, job: JobKey): Promise<boolean> {
  const deleted = await tx.execute(sql`delete from ${JOBS} where ${isNamed(job)} returning id`);
  return changed.parse(deleted).rows.length > 0;
}
