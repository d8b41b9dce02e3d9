import { and, eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents, isVisible } from '../agents/agents.table.ts';

/** A copy's original as everybody may see it now; no row where it is deleted or no longer public. */
export const visibleOriginal = (db: Db, creatorId: string, agentId: string) =>
  db
    .select({ agent: agents, creatorName: user.name })
    .from(agents)
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(eq(agents.userId, creatorId), eq(agents.id, agentId), isVisible))
    .limit(1);
