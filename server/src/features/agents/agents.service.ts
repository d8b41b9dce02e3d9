import { type Agent, settingsOf } from '@atelier/contract/agents';
import type { PageQuery } from '@atelier/contract/ids';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { type Authorized, type Caller, owned } from '../../access.ts';
import type { Db } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
import type { Deps } from '../../platform/deps.ts';
import { decodeCursor, page } from '../../platform/http/cursor.ts';
import { type AgentRow, agents } from './agents.table.ts';

/** The agent as it crosses the wire: its address, never its hidden key. */
export function toAgent(row: AgentRow): Agent {
  const { slug, userId, createdAt, updatedAt, forkBase, forkedFromUser } = row;
  return {
    ...settingsOf(row),
    id: slug,
    creatorId: userId,
    isPublic: row.isPublic,
    favoriteCount: row.favoriteCount,
    forkedFrom:
      forkBase === null || forkedFromUser === null
        ? null
        : { creatorId: forkedFromUser, agentId: forkBase.slug, name: forkBase.name, tools: forkBase.tools },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** The caller's living agents, newest first, a page at a time. */
export async function listAgents(ctx: Deps, caller: Caller, query: PageQuery) {
  const after = decodeCursor(query.cursor);
  const rows = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.userId, caller.uid), isNull(agents.deletedAt), behind(agents.createdAt, agents.id, after)))
    .orderBy(desc(agents.createdAt), desc(agents.id))
    .limit(query.limit + 1);
  return page(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** The caller's living agent at an address; 404 where there is none, even if somebody else has one there. */
export async function getAgent(db: Db, uid: string, slug: string): Promise<Authorized<AgentRow>> {
  const [row] = await db
    .select()
    .from(agents)
    .where(and(eq(agents.userId, uid), eq(agents.slug, slug), isNull(agents.deletedAt)))
    .limit(1);
  return owned(uid, row, 'This agent');
}

/** How notices name a public agent, so that an open page fetches just this one again. */
export const exploreId = ({ userId, slug }: Pick<AgentRow, 'userId' | 'slug'>) => `${userId}/${slug}`;
