import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { agents } from '../agents/agents.table.ts';
import { tokenLedger } from '../ledger/ledger.table.ts';

const instants = (list: readonly Date[]) => sql`${`{${list.map((at) => at.toISOString()).join(',')}}`}::timestamptz[]`;
const summed = (column: keyof typeof tokenLedger.$inferSelect) =>
  sql`sum(${tokenLedger[column]})`.mapWith(Number).as(`sum_${column}`);

/**
 * Up to `limit` sums of a person's tokens by day, agent, model, purpose and currency, in one statement; `day` counts from 1. `starts` are the
 * beginnings of the days in order, and last the end of the last one.
 */
export const countTokens = (db: Db, uid: string, starts: readonly Date[], limit: number) => {
  const sums = db
    .select({
      agentId: tokenLedger.agentId,
      model: tokenLedger.model,
      purpose: tokenLedger.purpose,
      currency: tokenLedger.currency,
      calls: summed('calls'),
      input: summed('inputTokens'),
      output: summed('outputTokens'),
      estimated: summed('estimated'),
      cost: summed('cost'),
    })
    .from(tokenLedger)
    .where(and(eq(tokenLedger.userId, uid), sql`${tokenLedger.at} >= days.start and ${tokenLedger.at} < days.finish`))
    .groupBy(tokenLedger.agentId, tokenLedger.model, tokenLedger.purpose, tokenLedger.currency)
    .as('sums');
  const { agentId, model, purpose, currency, calls, input, output, estimated, cost } = sums;
  const tokens = { agentId, model, purpose, currency, calls, input, output, estimated, cost };
  return db
    .select({
      day: sql`days.day`.mapWith(Number),
      slug: agents.slug,
      name: agents.name,
      deletedAt: agents.deletedAt,
      ...tokens,
    })
    .from(
      sql`unnest(${instants(starts.slice(0, -1))}, ${instants(starts.slice(1))}) with ordinality as days(start, finish, day)`,
    )
    .innerJoinLateral(sums, sql`true`)
    .leftJoin(agents, and(eq(agents.userId, uid), eq(agents.id, agentId)))
    .orderBy(sql`days.day`, asc(agents.name), asc(agentId), asc(model), asc(purpose), asc(currency))
    .limit(limit);
};
