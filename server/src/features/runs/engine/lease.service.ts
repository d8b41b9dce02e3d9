import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Deps } from '../../../platform/deps.ts';
import { outageOf } from '../../../platform/outage.ts';
import { retryUntil } from '../../../platform/retry.ts';
import { findSigns, findTask, signOf } from '../runs.queries.ts';
import { inFlight, tasks } from '../runs.table.ts';
import { emitDone, notifyRuns, notifyTasks } from './notices.service.ts';
import type { Run } from './run.ts';

export const INTERRUPTED = 'The server could not finish this answer. Nothing was counted; please retry.';

/** How often per lease a process renews its runs, and how often it looks for runs that nobody renews. */
export const SIGNS_A_LEASE = 3;
export const LOOKS_A_LEASE = 6;
/** The first and the last of so many looks lie a whole lease apart. A sign of life that is the same in all of them: its process is gone. */
const LOOKS_WITHOUT_SIGN = LOOKS_A_LEASE + 1;

/** The end of a lease that begins now. */
const leaseEnd = (ctx: Deps) => sql`now() + make_interval(secs => ${ctx.config.LEASE_MS / 1000})`;

/** The run's task while this process holds its lease; without it nothing can be written. The event log's statement says the same. */
export const isLeasedHere = (ctx: Deps, run: Run) =>
  and(
    eq(tasks.userId, run.uid),
    eq(tasks.id, run.taskId),
    eq(tasks.leaseOwner, ctx.processId),
    eq(tasks.attempt, run.attempt),
    inFlight(tasks.status),
  );

/**
 * Renews the leases of this process's runs; returns which it still holds and which somebody asked to stop. Each sign of life is later than
 * the last, whatever the clock does.
 */
export async function renewLeases(ctx: Deps, ids: string[]): Promise<{ ours: Set<string>; cancelled: string[] }> {
  if (ids.length === 0) return { ours: new Set(), cancelled: [] };
  const rows = await ctx.db
    .update(tasks)
    .set({ leaseUntil: sql`greatest(${tasks.leaseUntil} + interval '1 millisecond', ${leaseEnd(ctx)})` })
    .where(and(eq(tasks.leaseOwner, ctx.processId), inArray(tasks.id, ids), inFlight(tasks.status)))
    .returning({ id: tasks.id, cancel: tasks.cancelRequestedAt });
  return {
    ours: new Set(rows.map((row) => row.id)),
    cancelled: rows.filter((row) => row.cancel !== null).map((row) => row.id),
  };
}

/**
 * Each call looks at all tasks in flight and returns the signs that have not changed for a lease. It counts looks instead of time, so
 * neither a clock that jumps nor a database outage ends a living answer. Runs of this process are skipped.
 */
export function watchSigns(ctx: Deps, runsHere: (taskId: string) => boolean): () => Promise<string[]> {
  let looks = new Map<string, number>();
  return async () => {
    const signs = (await findSigns(ctx.db)).filter(({ id }) => !runsHere(id)).map(({ sign }) => sign);
    looks = new Map(signs.map((sign) => [sign, (looks.get(sign) ?? 0) + 1]));
    return signs.filter((sign) => (looks.get(sign) ?? 0) >= LOOKS_WITHOUT_SIGN);
  };
}

const interrupted = z.object({
  rows: z.array(z.object({ user_id: z.string(), id: z.string(), session_id: z.string() })),
});

/**
 * Ends tasks that nobody runs: all in flight, or those that still have one of these signs of life. They turn `interrupted`, keep what the
 * event log has of the answer, and cost nothing.
 */
export async function interruptRuns(ctx: Deps, which: 'all' | string[]): Promise<void> {
  if (which.length === 0) return;
  const chosen =
    which === 'all' ? sql`true` : sql`${signOf} in (select jsonb_array_elements_text(${JSON.stringify(which)}::jsonb))`;
  const ended = await ctx.db.transaction(async (tx) => {
    const result = await tx.execute(sql`
      with dead as (
        select user_id, id from tasks where ${inFlight(sql`status`)} and ${chosen}
        for update skip locked
      ), said as (
        select d.user_id, d.id, coalesce(max(e.seq), 0) as seq,
          coalesce(string_agg(e.data->>'text', '' order by e.seq) filter (where e.type = 'delta'), '') as text,
          coalesce(string_agg(e.data->>'text', '' order by e.seq) filter (where e.type = 'thought'), '') as thoughts
        from dead d left join task_events e on e.user_id = d.user_id and e.task_id = d.id
        group by d.user_id, d.id
      )
      update tasks t
      set status = 'interrupted', message = s.text, thoughts = s.thoughts, last_seq = s.seq + 1, error = ${INTERRUPTED},
        finished_at = greatest(now(), t.created_at), lease_owner = null, lease_until = null
      from said s where t.user_id = s.user_id and t.id = s.id
      returning t.user_id, t.id, t.session_id`);
    const { rows } = interrupted.parse(result);
    for (const row of rows) {
      await notifyTasks(ctx, tx, row.user_id, row.session_id);
      await notifyRuns(ctx, tx, { d: [[row.user_id, row.id]] });
    }
    return rows;
  });
  for (const row of ended) {
    const task = await findTask(ctx.db, row.user_id, row.id);
    if (task !== undefined) emitDone(ctx, row.user_id, task);
  }
}

/** Ends one task of this process that it doesn't run or can't finish; does nothing when another process holds it. */
export async function interruptOwn(ctx: Deps, taskId: string): Promise<void> {
  const signs = await findSigns(ctx.db);
  // The embedded database has only one process, so a task that doesn't run here runs nowhere.
  const isOwn = (owner: string | null) => owner === ctx.processId || ctx.database.kind === 'pglite';
  const own = signs.filter(({ id, owner }) => id === taskId && isOwn(owner)).map(({ sign }) => sign);
  await interruptRuns(ctx, own);
}

/** Retries database work of a run while the database is away: until the run is stopped, for one lease at most. */
export const untilAnswered = <T>(ctx: Deps, run: Run, work: () => PromiseLike<T>): Promise<T> =>
  retryUntil(
    AbortSignal.any([run.controller.signal, AbortSignal.timeout(ctx.config.LEASE_MS)]),
    async () => work(),
    (error, attempt) => ctx.log.error('runs.waits', error, { task: run.taskId, attempt }),
    (error) => outageOf(error) !== null,
  );
