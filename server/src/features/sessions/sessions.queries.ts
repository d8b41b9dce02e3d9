import { and, eq, sql } from 'drizzle-orm';
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

/** Now, but always after the person's newest session, even if the clock was set back: the list is in order of creation. */
export const afterLast = (uid: string) => sql`greatest(now(), (
  select max(s.created_at) + interval '1 millisecond' from chat_sessions s where s.user_id = ${uid}))`;
