import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Deps } from '../../platform/deps.ts';
import { IN_FLIGHT } from './runs.events.ts';
import { emitDone, notifyRuns, notifyTasks } from './runs.notices.service.ts';
import { findTask } from './runs.queries.ts';
import { tasks } from './runs.table.ts';

export const INTERRUPTED = 'The server stopped before this answer was finished. Nothing was counted; please retry.';

/** The end of a lease that begins now, by the database's clock: the only one that all processes share. */
export const leaseEnd = (ctx: Deps) => sql`now() + make_interval(secs => ${ctx.config.LEASE_MS / 1000})`;

/** Prolongs every lease of this process; says which tasks it still holds and which of them somebody asked to stop. */
export async function renewLeases(ctx: Deps): Promise<{ held: Set<string>; cancelled: string[] }> {
  const rows = await ctx.db
    .update(tasks)
    .set({ leaseUntil: leaseEnd(ctx) })
    .where(and(eq(tasks.leaseOwner, ctx.processId), inArray(tasks.status, [...IN_FLIGHT])))
    .returning({ id: tasks.id, cancel: tasks.cancelRequestedAt });
  return {
    held: new Set(rows.map((row) => row.id)),
    cancelled: rows.filter((row) => row.cancel !== null).map((row) => row.id),
  };
}

const interrupted = z.object({
  rows: z.array(z.object({ user_id: z.string(), id: z.string(), session_id: z.string() })),
});

/** Ends runs whose process is gone: they turn `interrupted`, keep what they had said, and cost nothing. */
export async function interruptRuns(ctx: Deps, which: 'all' | 'expired'): Promise<void> {
  const ended = await ctx.db.transaction(async (tx) => {
    const result = await tx.execute(sql`
      with dead as (
        select user_id, id from tasks
        where status in ('running', 'waiting') and (${which === 'all'} or lease_until < now())
        for update skip locked
      ), said as (
        select d.user_id, d.id, coalesce(max(e.seq), 0) as seq,
          coalesce(string_agg(e.data->>'text', '' order by e.seq) filter (where e.type = 'delta'), '') as text
        from dead d left join task_events e on e.user_id = d.user_id and e.task_id = d.id
        group by d.user_id, d.id
      )
      update tasks t
      set status = 'interrupted', message = s.text, last_seq = s.seq + 1, error = ${INTERRUPTED},
        finished_at = now(), lease_owner = null, lease_until = null
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
