import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/database/database.ts';
import { inPortions, WIDE_ROWS } from '../../platform/database/portions.ts';
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

const touched = z.object({ rows: z.array(z.object({ session_id: z.string() })) });

/** Memories and facts that an agent forgets. */
interface Forgotten {
  userId: string;
  agentId: string;
  ids: string[];
}

/**
 * Blanks memories in the receipts of the user's exchanges with an agent, at most `size` of them, and in their event logs, and notifies the
 * user's open pages. Nothing else in a receipt ever changes. Leaves out exchanges in `done` and adds those it saw; returns how many.
 */
export async function blankReceipts(
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  { userId, agentId, ids: gone }: Forgotten,
  done: Set<string>,
  size = Number.POSITIVE_INFINITY,
): Promise<number> {
  const listed = (ids: string[]) => sql`array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
  // First without the receipts themselves: a memory may be in thousands, and reading those takes long.
  const holding = await tx
    .select({ id: tasks.id })
    .from(tasks)
    .where(
      and(
        eq(tasks.userId, userId),
        eq(tasks.agentId, agentId),
        sql`${receiptIds(sql`memory_used`)} ?| ${listed(gone)}`,
      ),
    );
  const seen = holding
    .map(({ id }) => id)
    .filter((id) => !done.has(id))
    .slice(0, size);
  if (seen.length === 0) return 0;
  for (const id of seen) done.add(id);
  const blanked = (items: SQL) => sql`atelier_blank(${items}, ${listed(gone)})`;
  const result = await tx.execute(sql`
    update tasks set memory_used = ${blanked(sql`memory_used`)}
    where user_id = ${userId} and id = any(${listed(seen)}::uuid[]) and memory_used <> ${blanked(sql`memory_used`)}
    returning session_id`);
  await tx.execute(sql`
    update task_events set data = jsonb_set(data, '{items}', ${blanked(sql`data->'items'`)})
    where user_id = ${userId} and task_id = any(${listed(seen)}::uuid[]) and type = 'memory'
      and data->'items' <> ${blanked(sql`data->'items'`)}`);
  const { rows } = touched.parse(result);
  const [first, ...others] = new Set(rows.map((row) => row.session_id));
  // One notice for all: an agent may have answered in thousands of sessions.
  if (first !== undefined) await ctx.live.notify(tx, userId, 'tasks', others.length === 0 ? first : '');
  return seen.length;
}

/** The same for all of them, in portions; returns their exchanges. For those stored meanwhile, call `blankReceipts` where it is forgotten. */
export async function blankAllReceipts(ctx: Pick<Deps, 'db' | 'live'>, gone: Forgotten): Promise<Set<string>> {
  const done = new Set<string>();
  await inPortions(ctx.db, (tx, size) => blankReceipts(ctx, tx, gone, done, size), WIDE_ROWS);
  return done;
}
