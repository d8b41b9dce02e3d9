import { and, eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { agents } from '../agents/agents.table.ts';
import { sessions } from './sessions.table.ts';

/** Sessions with their agents, deleted or not; the caller adds conditions. */
export const withAgent = (db: Db) =>
  db
    .select({ session: sessions, agent: agents })
    .from(sessions)
    .innerJoin(agents, and(eq(agents.userId, sessions.userId), eq(agents.id, sessions.agentId)));

/** Of an agent with this address, living or deleted. */
export const ofAgent = (slug: string) => eq(agents.slug, slug);
