import { and, eq, type SQL, sql } from 'drizzle-orm';
import { jsonb, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/database/database.ts';
import { inPortions, WIDE_ROWS } from '../../platform/database/portions.ts';
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

interface ForgottenIds {
  userId: string;
  agentId: string;
  ids: string[];
}

const listed = (ids: readonly string[]) => sql`array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

/** The exchanges whose receipts hold any of them, without reading the receipts: a memory may be in thousands. */
const findHolding = async (db: Db, { userId, agentId, ids }: ForgottenIds): Promise<string[]> => {
  const holds = sql`${receiptIds(sql`memory_used`)} ?| ${listed(ids)}`;
  const which = and(eq(tasks.userId, userId), eq(tasks.agentId, agentId), holds);
  return (await db.select({ id: tasks.id }).from(tasks).where(which)).map(({ id }) => id);
};

/** Blanks memories in the receipts and event logs of these exchanges. Nothing else in a receipt ever changes. */
async function blankIn(
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  { userId, ids }: ForgottenIds,
  taskIds: string[],
): Promise<number> {
  if (taskIds.length === 0) return 0;
  const blanked = (items: SQL) => atelierBlank.call({ items, ids: listed(ids) });
  const result = await tx.execute(sql`
    update tasks set memory_used = ${blanked(sql`memory_used`)}
    where user_id = ${userId} and id = any(${listed(taskIds)}::uuid[]) and memory_used <> ${blanked(sql`memory_used`)}
    returning session_id`);
  await tx.execute(sql`
    update task_events set data = jsonb_set(data, '{items}', ${blanked(sql`data->'items'`)})
    where user_id = ${userId} and task_id = any(${listed(taskIds)}::uuid[]) and type = 'memory'
      and data->'items' <> ${blanked(sql`data->'items'`)}`);
  const [first, ...others] = new Set(touched.parse(result).rows.map((row) => row.session_id));
  // One notice for all: an agent may have answered in thousands of sessions.
  if (first !== undefined) await ctx.live.notify(tx, userId, 'tasks', others.length === 0 ? first : '');
  return taskIds.length;
}

/**
 * Blanks memories in the receipts of the user's exchanges with an agent, at most `size` of them, and in their event logs, and notifies the
 * user's open pages. Leaves out exchanges in `done` and adds those it saw; returns how many.
 */
export async function blankReceipts(
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  gone: ForgottenIds,
  done: Set<string>,
  size = Number.POSITIVE_INFINITY,
): Promise<number> {
  const seen = (await findHolding(tx, gone)).filter((id) => !done.has(id)).slice(0, size);
  for (const id of seen) done.add(id);
  return blankIn(ctx, tx, gone, seen);
}

/** The same for all of them, in portions; returns their exchanges. For those stored meanwhile, call `blankReceipts` where it is forgotten. */
export async function blankAllReceipts(ctx: Pick<Deps, 'db' | 'live'>, gone: ForgottenIds): Promise<Set<string>> {
  const taskIds = await findHolding(ctx.db, gone);
  let from = 0;
  await inPortions(
    ctx.db,
    async (tx, size) => {
      from += size;
      return blankIn(ctx, tx, gone, taskIds.slice(from - size, from));
    },
    WIDE_ROWS,
  );
  return new Set(taskIds);
}
