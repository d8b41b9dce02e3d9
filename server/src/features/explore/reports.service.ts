import type { ReportBody } from '@atelier/contract/explore';
import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { type Caller, libraryBound, tooManyFor } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { agentReports } from './explore.table.ts';

/**
 * Reports a public agent to the operator, once; a repetition changes nothing, unless the agent was published again since an operator has
 * decided. Throws 409 for the caller's own agent, 429 after as many reports within a day as are allowed.
 */
export async function reportAgent(
  ctx: Pick<Deps, 'db' | 'config'>,
  { uid }: Caller,
  agent: AgentRow,
  { kind, words }: ReportBody,
): Promise<void> {
  if (agent.userId === uid)
    throw new AppError('conflict', 'This is your own agent. You can change it in your library.');
  const { userId, creatorId, agentId, closedAt } = agentReports;
  const again = { kind, words, createdAt: sql`now()`, closedAt: null };
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, uid);
    const stored = await tx
      .insert(agentReports)
      .values({ userId: uid, creatorId: agent.userId, agentId: agent.id, kind, words })
      .onConflictDoUpdate({
        target: [userId, creatorId, agentId],
        set: again,
        setWhere: agent.publishedAt === null ? sql`false` : lt(closedAt, agent.publishedAt),
      })
      .returning({ agentId });
    if (stored.length > 0) await requireShare(ctx, tx, uid);
  });
}

/** Throws 429 when this report is more than the caller's share of a day. */
async function requireShare({ config }: Pick<Deps, 'config'>, tx: Tx, uid: string): Promise<void> {
  const { userId, createdAt } = agentReports;
  const most = libraryBound(config, 'reports');
  const wait = sql<number>`ceil(extract(epoch from ${createdAt} + interval '1 day' - now()))::int`;
  const [over] = await tx
    .select({ wait })
    .from(agentReports)
    .where(and(eq(userId, uid), gt(createdAt, sql`now() - interval '1 day'`)))
    .orderBy(desc(createdAt))
    .offset(most)
    .limit(1);
  if (over !== undefined)
    throw tooManyFor(over.wait, `You have reported ${most} agents within a day, which is the most.`);
}

/** Closes the open reports of an agent, and returns whether there were any. */
export async function closeReports(tx: Tx, agent: Pick<AgentRow, 'userId' | 'id'>): Promise<boolean> {
  const { creatorId, agentId, closedAt } = agentReports;
  const closed = await tx
    .update(agentReports)
    .set({ closedAt: sql`now()` })
    .where(and(eq(creatorId, agent.userId), eq(agentId, agent.id), isNull(closedAt)))
    .returning({ agentId });
  return closed.length > 0;
}
