import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Db } from '../../../platform/database/database.ts';
import { agents } from '../../agents/agents.table.ts';
import { sessions } from '../../sessions/sessions.table.ts';
import type { ImportKey } from '../imports.table.ts';

/** Some sessions that an import brought and that nobody has deleted. */
export async function findImportedSessions(db: Db, { userId, importId }: ImportKey, limit: number): Promise<string[]> {
  const own = and(eq(sessions.userId, userId), eq(sessions.importId, importId), isNull(sessions.deletedAt));
  const rows = await db.select({ id: sessions.id }).from(sessions).where(own).limit(limit);
  return rows.map(({ id }) => id);
}

const isAgent = (userId: string, agentId: string) => and(eq(agents.userId, userId), eq(agents.id, agentId));
const ofAgent = (userId: string, agentId: string) => and(eq(sessions.userId, userId), eq(sessions.agentId, agentId));

/** An agent that is there, with whether it has sessions. */
export async function findMadeAgent(db: Db, userId: string, agentId: string) {
  const [agent] = await db
    .select()
    .from(agents)
    .where(and(isAgent(userId, agentId), isNull(agents.deletedAt)));
  if (agent === undefined) return undefined;
  return { agent, sessions: await db.$count(sessions, and(ofAgent(userId, agentId), isNull(sessions.deletedAt))) };
}

/** Removes what a deleted agent leaves for its sessions to name; false while there are some. */
export async function removeAgentRow(db: Db, userId: string, agentId: string): Promise<boolean> {
  if ((await db.$count(sessions, ofAgent(userId, agentId))) > 0) return false;
  await db.delete(agents).where(and(isAgent(userId, agentId), isNotNull(agents.deletedAt)));
  return true;
}
