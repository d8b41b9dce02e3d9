import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { facts } from '../facts/facts.table.ts';
import { receiptIds } from '../runs/runs.table.ts';
import { memories } from './memory.table.ts';

/** The facts that come from some of a user's memories; ask before these are removed, because the facts go with them. */
export async function findFactIds(tx: Tx, userId: string, where: SQL): Promise<string[]> {
  const rows = await tx
    .select({ id: facts.id })
    .from(facts)
    .innerJoin(memories, and(eq(memories.userId, facts.userId), eq(memories.id, facts.memoryId)))
    .where(and(eq(facts.userId, userId), where));
  return rows.map(({ id }) => id);
}

const touched = z.object({ rows: z.array(z.object({ session_id: z.string() })) });

/**
 * Blanks memories in all receipts of the user's exchanges with an agent, and in event logs that still contain them, and notifies the user's
 * open pages. Nothing else in a receipt ever changes.
 */
export async function blankReceipts(
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  gone: { userId: string; agentId: string; ids: string[] },
): Promise<void> {
  const { userId, agentId } = gone;
  const ids = sql`array(select jsonb_array_elements_text(${JSON.stringify(gone.ids)}::jsonb))`;
  const blanked = (items: ReturnType<typeof sql>) => sql`atelier_blank(${items}, ${ids})`;
  const holds = (items: ReturnType<typeof sql>) => sql`${receiptIds(items)} ?| ${ids}`;
  const result = await tx.execute(sql`
    update tasks set memory_used = ${blanked(sql`memory_used`)}
    where user_id = ${userId} and agent_id = ${agentId} and ${holds(sql`memory_used`)}
    returning session_id`);
  await tx.execute(sql`
    update task_events e set data = jsonb_set(e.data, '{items}', ${blanked(sql`e.data->'items'`)})
    where e.user_id = ${userId} and e.type = 'memory' and ${holds(sql`e.data->'items'`)} and exists (
      select from tasks t where t.user_id = e.user_id and t.id = e.task_id and t.agent_id = ${agentId})`);
  const [first, ...others] = new Set(touched.parse(result).rows.map((row) => row.session_id));
  // One notice for all: an agent may have answered in thousands of sessions.
  if (first !== undefined) await ctx.live.notify(tx, userId, 'tasks', others.length === 0 ? first : '');
}
