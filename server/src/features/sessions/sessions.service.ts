import { SENTENCES } from '@atelier/contract/errors';
import type { PageQuery } from '@atelier/contract/ids';
import { defaultSessionName, type Session, type SessionCreate } from '@atelier/contract/sessions';
import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, limitsOf, owned } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, page } from '../../platform/http/cursor.ts';
import { changeUsage, lockUsage } from '../accounts/usage.service.ts';
import { getAgent, listAgents } from '../agents/agents.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { withAgent } from './sessions.queries.ts';
import { type SessionRow, sessions } from './sessions.table.ts';

/** A session's keys, as jobs store them. */
export interface SessionKey {
  userId: string;
  sessionId: string;
}

export type SessionWithAgent = SessionRow & { agent: AgentRow };

export function toSession({ agent, ...row }: SessionWithAgent): Session {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    agentId: agent.slug,
    agentName: agent.name,
    agentDeleted: agent.deletedAt !== null,
  };
}

/** A page of the caller's sessions, newest first. */
export async function listSessions(ctx: Deps, caller: Caller, query: PageQuery) {
  const after = decodeCursor(query.cursor);
  const rows = await withAgent(ctx.db)
    .where(
      and(eq(sessions.userId, caller.uid), isNull(sessions.deletedAt), behind(sessions.createdAt, sessions.id, after)),
    )
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(query.limit + 1);
  const found = rows.map(({ session, agent }) => ({ ...session, agent }));
  return page(found, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** The caller's session with its agent; 404 when it is not theirs, deleted or missing. */
export async function getSession(db: Db, uid: string, id: string): Promise<Authorized<SessionWithAgent>> {
  return findOwned(db, uid, id, 'living');
}

async function findOwned(db: Db, uid: string, id: string, state: 'living' | 'deleted') {
  if (!isUuid(id)) throw notFound('This session');
  const [row] = await withAgent(db)
    .where(
      and(
        eq(sessions.userId, uid),
        eq(sessions.id, id),
        state === 'living' ? isNull(sessions.deletedAt) : isNotNull(sessions.deletedAt),
      ),
    )
    .limit(1);
  return owned(uid, row && { ...row.session, agent: row.agent }, 'This session');
}

/** Creates a session with one of the caller's agents; 402 with the sentence when a free account has none left. */
export async function createSession(ctx: Deps, caller: Caller, input: SessionCreate): Promise<SessionWithAgent> {
  return ctx.db.transaction(async (tx) => {
    await takeSession(tx, caller);
    const agent = await agentForSession(ctx, tx, caller, input.agentId);
    const [row] = await tx
      .insert(sessions)
      .values({
        userId: caller.uid,
        id: uuidv7(),
        agentId: agent.id,
        name: input.name ?? defaultSessionName(agent.name),
        nameSource: input.name === undefined ? 'default' : 'person',
        createdAt: afterLast(caller.uid),
      })
      .returning();
    await notifyList(ctx, tx, caller.uid, row?.id ?? '');
    return { ...owned(caller.uid, row, 'This session'), agent };
  });
}

/** Now, but always after the person's newest session, even if the clock was set back: the list is in order of creation. */
const afterLast = (uid: string) => sql`greatest(now(), (
  select max(s.created_at) + interval '1 millisecond' from chat_sessions s where s.user_id = ${uid}))`;

async function agentForSession(ctx: Deps, tx: Tx, caller: Caller, slug: string): Promise<AgentRow> {
  try {
    return await getAgent(tx, caller.uid, slug);
  } catch (error) {
    const { rows } = await listAgents({ ...ctx, db: tx }, caller, { limit: 1 });
    if (rows.length === 0) throw new AppError('invalid_input', SENTENCES.noAgents, { field: 'agentId' });
    throw error;
  }
}

/** Locks the account's usage, refuses beyond the limit, and counts one more session. */
async function takeSession(tx: Tx, caller: Caller) {
  const usage = await lockUsage(tx, caller.uid);
  const limit = limitsOf(usage.plan).sessions;
  if (limit !== null && usage.sessionCount >= limit) throw new AppError('limit_reached', SENTENCES.sessionLimit);
  await changeUsage(tx, caller.uid, { sessions: 1 });
}

async function notifyList(ctx: Deps, tx: Tx, uid: string, id: string) {
  await ctx.live.notify(tx, uid, 'sessions', id);
  await ctx.live.notify(tx, uid, 'account', uid);
}

/** Gives the session the person's own name, which no generated title replaces. */
export async function renameSession(ctx: Deps, session: Authorized<SessionWithAgent>, name: string) {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(sessions)
      .set({ name, nameSource: 'person' })
      .where(and(eq(sessions.userId, session.userId), eq(sessions.id, session.id)));
    await ctx.live.notify(tx, session.userId, 'sessions', session.id);
  });
  return { ...session, name };
}

/** Names the session after its first exchange, unless it was renamed meanwhile. */
export async function titleSession(ctx: Deps, input: { userId: string; sessionId: string; title: string }) {
  await ctx.db.transaction(async (tx) => {
    const named = await tx
      .update(sessions)
      .set({ name: input.title, nameSource: 'title' })
      .where(
        and(eq(sessions.userId, input.userId), eq(sessions.id, input.sessionId), eq(sessions.nameSource, 'default')),
      )
      .returning({ id: sessions.id });
    if (named.length > 0) await ctx.live.notify(tx, input.userId, 'sessions', input.sessionId);
  });
}

/** Hides the session and subtracts it from the count; false when it was hidden already. */
export async function hideSession(ctx: Deps, tx: Tx, session: Authorized<SessionWithAgent>): Promise<boolean> {
  await lockUsage(tx, session.userId);
  const hidden = await tx
    .update(sessions)
    .set({ deletedAt: sql`now()` })
    .where(and(eq(sessions.userId, session.userId), eq(sessions.id, session.id), isNull(sessions.deletedAt)))
    .returning({ id: sessions.id });
  if (hidden.length === 0) return false;
  await changeUsage(tx, session.userId, { sessions: -1 });
  await notifyList(ctx, tx, session.userId, session.id);
  return true;
}

/** Undoes a delete; 402 when the free limit has been reached since, 404 once the session is gone for good. */
export async function restoreSession(ctx: Deps, caller: Caller, id: string): Promise<SessionWithAgent> {
  return ctx.db.transaction(async (tx) => {
    await takeSession(tx, caller);
    const session = await findOwned(tx, caller.uid, id, 'deleted');
    await tx
      .update(sessions)
      .set({ deletedAt: null })
      .where(and(eq(sessions.userId, caller.uid), eq(sessions.id, id)));
    await notifyList(ctx, tx, caller.uid, id);
    return session;
  });
}

/** Locks a session hidden at least this many seconds ago; false when it is gone, restored, or was hidden again since. */
export async function lockHidden(tx: Tx, key: SessionKey, seconds: number): Promise<boolean> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(isSession(key), lt(sessions.deletedAt, sql`now() - make_interval(secs => ${seconds})`)))
    .for('update');
  return rows.length > 0;
}

/** Removes the session's row and its exchanges. */
export async function removeSession(tx: Tx, key: SessionKey): Promise<void> {
  await tx.delete(sessions).where(isSession(key));
}

const isSession = ({ userId, sessionId }: SessionKey) => and(eq(sessions.userId, userId), eq(sessions.id, sessionId));
