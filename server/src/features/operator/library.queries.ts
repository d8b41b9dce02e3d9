import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { findInOrder } from '../../platform/database/find-in-order.ts';
import type { ListPosition } from '../../platform/database/keyset.ts';
import { containsWords } from '../../platform/database/text-search.ts';
import { profiles, user } from '../accounts/accounts.table.ts';
import { type AgentRow, agents, areAgents, isPublished, isVisible } from '../agents/agents.table.ts';
import { agentReports, imitatedAgent } from '../explore/explore.table.ts';

type Key = Pick<AgentRow, 'userId' | 'id'>;
type After = (ListPosition & { at: number }) | undefined;

/** The public agents with open reports, those with most first. */
export function reportedAgents(db: Db, after: After, limit: number) {
  const reports = count();
  return db
    .select({ userId: agents.userId, id: agents.id, at: reports })
    .from(agentReports)
    .innerJoin(agents, and(eq(agents.userId, agentReports.creatorId), eq(agents.id, agentReports.agentId)))
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(isNull(agentReports.closedAt), isVisible))
    .groupBy(agents.userId, agents.id)
    .having(after && sql`(count(*), ${agents.id}) < (${after.at}::bigint, ${after.id}::uuid)`)
    .orderBy(desc(reports), desc(agents.id))
    .limit(limit);
}

/** The public agents whose name, or whose author’s name or email, has all words of a search; most favorites first. */
export async function searchedAgents(db: Db, search: string, after: After, limit: number) {
  const author = sql`(select ${user.name} || ' ' || ${user.email} from ${user} where ${user.id} = ${agents.userId} and not ${user.banned})`;
  const keep = containsWords(sql`(${agents.name} || ' ' || ${author})`, search);
  return findInOrder(db, { table: agents, at: agents.favoriteCount, scope: isPublished, keep, after, limit });
}

/** What the list shows of these agents, in any order. */
export const libraryRows = (db: Db, keys: readonly Key[]) =>
  db
    .select({
      id: agents.id,
      creatorId: agents.userId,
      agentId: agents.slug,
      name: agents.name,
      creatorName: user.name,
      creatorEmail: user.email,
      publishingBlocked: profiles.publishingBlocked,
      favoriteCount: agents.favoriteCount,
      imitates: imitatedAgent,
      reportCount: db.$count(
        agentReports,
        and(
          eq(agentReports.creatorId, agents.userId),
          eq(agentReports.agentId, agents.id),
          isNull(agentReports.closedAt),
        ),
      ),
    })
    .from(agents)
    .innerJoin(user, eq(user.id, agents.userId))
    .innerJoin(profiles, eq(profiles.userId, agents.userId))
    .where(and(isVisible, areAgents(keys)));

/** The latest open reports of an agent. */
export const openReports = (db: Db, { userId, id }: Key, limit: number) =>
  db
    .select({
      at: agentReports.createdAt,
      kind: agentReports.kind,
      words: agentReports.words,
      by: { id: user.id, email: user.email },
    })
    .from(agentReports)
    .innerJoin(user, eq(user.id, agentReports.userId))
    .where(and(eq(agentReports.creatorId, userId), eq(agentReports.agentId, id), isNull(agentReports.closedAt)))
    .orderBy(desc(agentReports.createdAt), desc(agentReports.userId))
    .limit(limit);

/** The public agent at an author’s address. */
export const publicAgentKey = (db: Db, creatorId: string, slug: string) =>
  db
    .select({ userId: agents.userId, id: agents.id })
    .from(agents)
    .where(and(eq(agents.userId, creatorId), eq(agents.slug, slug), isPublished));
