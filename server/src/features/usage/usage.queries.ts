import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { agents } from '../agents/agents.table.ts';
import { tasks } from '../runs/runs.table.ts';

const tokens = (of: 'inputTokens' | 'outputTokens') =>
  sql`coalesce(sum((${tasks.tokenUsage}->>${sql.raw(`'${of}'`)})::bigint), 0)`.mapWith(Number);
const instants = (list: readonly Date[]) => sql`${`{${list.map((at) => at.toISOString()).join(',')}}`}::timestamptz[]`;

/**
 * Up to `limit` sums of a person's tokens by day, agent and model, in one statement; `day` counts from 1. `starts` are the beginnings of the
 * days in order, and last the end of the last one. Each day is read by itself: sorted all at once, a year would go through the disk.
 */
export const countTokens = (db: Db, uid: string, starts: readonly Date[], limit: number) => {
  const sums = db
    .select({
      agentId: tasks.agentId,
      model: tasks.model,
      answers: sql`count(*)`.mapWith(Number).as('answers'),
      input: tokens('inputTokens').as('input'),
      output: tokens('outputTokens').as('output'),
      estimated: sql`count(*) filter (where (${tasks.tokenUsage}->>'estimated')::boolean)`
        .mapWith(Number)
        .as('estimated'),
    })
    .from(tasks)
    .where(
      and(
        eq(tasks.userId, uid),
        sql`${tasks.createdAt} >= days.start and ${tasks.createdAt} < days.finish`,
        isNotNull(tasks.tokenUsage),
      ),
    )
    .groupBy(tasks.agentId, tasks.model)
    .as('sums');
  return db
    .select({
      day: sql`days.day`.mapWith(Number),
      slug: agents.slug,
      name: agents.name,
      deletedAt: agents.deletedAt,
      model: sums.model,
      answers: sums.answers,
      input: sums.input,
      output: sums.output,
      estimated: sums.estimated,
    })
    .from(
      sql`unnest(${instants(starts.slice(0, -1))}, ${instants(starts.slice(1))}) with ordinality as days(start, finish, day)`,
    )
    .innerJoinLateral(sums, sql`true`)
    .innerJoin(agents, and(eq(agents.userId, uid), eq(agents.id, sums.agentId)))
    .orderBy(sql`days.day`, asc(agents.name), asc(agents.id), asc(sums.model))
    .limit(limit);
};
