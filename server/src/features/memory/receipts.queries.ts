import { and, eq, type SQL, sql } from 'drizzle-orm';
import { jsonb, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/database/database.ts';
import { inPortions, someOf } from '../../platform/database/portions.ts';
import { sqlFunction } from '../../platform/database/sql-function.ts';
import type { Deps } from '../../platform/deps.ts';
import { facts } from '../facts/facts.table.ts';
import { receiptIds, tasks } from '../runs/runs.table.ts';
import { memories } from './memory.table.ts';

/** The facts that come from some of a user's memories; ask before these are removed, because the facts go with them. */
export async function findFactIds(db: Db, userId: string, where: SQL): Promise<string[]> {
  const rows = await db
    .select({ id: facts.id })
    .from(facts)
    .innerJoin(memories, and(eq(memories.userId, facts.userId), eq(memories.id, facts.memoryId)))
    .where(and(eq(facts.userId, userId), where));
  return rows.map(({ id }) => id);
}

const atelierBlank = sqlFunction(
  'atelier_blank',
  { items: jsonb('_items').notNull(), ids: text('_ids').array().notNull() },
  jsonb(),
);
const touched = z.object({ rows: z.array(z.object({ session_id: z.string() })) });

/** Memories and facts that an agent forgets. */
interface Forgotten {
  userId: string;
  agentId: string;
  ids: string[];
}

/**
 * Blanks memories in the receipts of the user's exchanges with an agent, at most `size` of them, and in event logs that still contain them, and
 * notifies the user's open pages. Nothing else in a receipt ever changes. Returns how many receipts it blanked.
 */
export async function blankReceipts(
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  { userId, agentId, ids: gone }: Forgotten,
  size?: number,
): Promise<number> {
  const ids = sql`array(select jsonb_array_elements_text(${JSON.stringify(gone)}::jsonb))`;
  const blanked = (items: SQL) => atelierBlank.call({ items, ids });
  const holds = (items: SQL) => sql`${receiptIds(items)} ?| ${ids} and ${items} <> ${blanked(items)}`;
  const which = sql`user_id = ${userId} and agent_id = ${agentId} and ${holds(sql`memory_used`)}`;
  const result = await tx.execute(sql`
    update tasks set memory_used = ${blanked(sql`memory_used`)}
    where ${size === undefined ? which : someOf(tasks, which, size)}
    returning session_id`);
  await tx.execute(sql`
    update task_events e set data = jsonb_set(e.data, '{items}', ${blanked(sql`e.data->'items'`)})
    where e.user_id = ${userId} and e.type = 'memory' and ${holds(sql`e.data->'items'`)} and exists (
      select from tasks t where t.user_id = e.user_id and t.id = e.task_id and t.agent_id = ${agentId})`);
  const { rows } = touched.parse(result);
  const [first, ...others] = new Set(rows.map((row) => row.session_id));
  // One notice for all: an agent may have answered in thousands of sessions.
  if (first !== undefined) await ctx.live.notify(tx, userId, 'tasks', others.length === 0 ? first : '');
  return rows.length;
}

/** The same for all of them, in portions: a memory may be in thousands. For those stored meanwhile, call `blankReceipts` where it is forgotten. */
export const blankAllReceipts = (ctx: Pick<Deps, 'db' | 'live'>, gone: Forgotten): Promise<void> =>
  inPortions(ctx.db, (tx, size) => blankReceipts(ctx, tx, gone, size));
