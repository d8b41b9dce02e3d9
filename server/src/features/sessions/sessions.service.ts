import type { Session } from '@atelier/contract/sessions';
import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { type Authorized, owned } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { withAgent } from './sessions.queries.ts';
import { type SessionRow, sessions } from './sessions.table.ts';

/** A session's keys, as jobs store them. */
export interface SessionKey {
  userId: string;
  sessionId: string;
}

/** The queue that removes a hidden session for good. */
export const PURGE_QUEUE = 'sessions.purge';

export type SessionWithAgent = SessionRow & { agent: AgentRow };

export function toSession({ agent, ...row }: SessionWithAgent): Session {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    agentId: agent.slug,
    agentName: agent.name,
    agentDeleted: agent.deletedAt !== null,
    pinned: row.pinned,
    archived: row.archived,
    folderId: row.folderId,
  };
}

/** The caller's session with its agent; 404 when it is not theirs, deleted or missing. */
export async function getSession(db: Db, uid: string, id: string): Promise<Authorized<SessionWithAgent>> {
  const [session] = isUuid(id) ? await findSessions(db, uid, [id]) : [];
  return owned(uid, session, 'This session');
}

/** Those of a person's sessions that are not deleted, newest first, each with its agent. */
export async function findSessions(db: Db, uid: string, ids: string[]): Promise<SessionWithAgent[]> {
  const rows = await withAgent(db)
    .where(and(areSessions(uid, ids), isNull(sessions.deletedAt)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
  return rows.map(({ session, agent }) => ({ ...session, agent }));
}

/** Tells every open tab that these sessions changed, and how many there are. */
export async function notifyList(ctx: Deps, tx: Tx, uid: string, ids: string[]) {
  await notifySessions(ctx, tx, uid, ids);
  await ctx.live.notify(tx, uid, 'account', uid);
}

/** Tells every open tab that these sessions changed, in one notice. */
export const notifySessions = (ctx: Deps, tx: Tx, uid: string, ids: string[]): Promise<void> =>
  ctx.live.notify(tx, uid, 'sessions', ids.length === 1 ? (ids[0] ?? '') : '');

/** The rows of these sessions of one person. */
export const areSessions = (uid: string, ids: string[]) => and(eq(sessions.userId, uid), inArray(sessions.id, ids));

export const isSession = ({ userId, sessionId }: SessionKey) =>
  and(eq(sessions.userId, userId), eq(sessions.id, sessionId));
