import { SENTENCES } from '@atelier/contract/errors';
import { defaultSessionName, SESSION_NAME_MAX, type Session, type SessionCreate } from '@atelier/contract/sessions';
import { and, desc, eq, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, limitsOf, owned } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { changeUsage, type LockedUsage, lockUsage } from '../accounts/usage.service.ts';
import { getAgent, listAgents } from '../agents/agents.service.ts';
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
    await notifyList(ctx, tx, caller.uid, row === undefined ? [] : [row.id]);
    return { ...owned(caller.uid, row, 'This session'), agent };
  });
}

const COPY_MARK = ' (continued)';
/** A copy that is not complete by then, because the process died, is removed. In seconds. */
const COPY_WITHIN = 600;

/**
 * A new session beside another one, with its agent and name, hidden until `restoreSessions` shows it. Returns its id; 402 when the account has
 * no session left.
 */
export async function startCopy(ctx: Deps, caller: Caller, session: Authorized<SessionWithAgent>): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    requireRoom(await lockUsage(tx, caller.uid), 1);
    const id = uuidv7();
    const base = session.name.endsWith(COPY_MARK) ? session.name.slice(0, -COPY_MARK.length) : session.name;
    await tx.insert(sessions).values({
      userId: caller.uid,
      id,
      agentId: session.agentId,
      name: base.slice(0, SESSION_NAME_MAX - COPY_MARK.length).toWellFormed() + COPY_MARK,
      nameSource: 'title',
      folderId: session.folderId,
      createdAt: afterLast(caller.uid),
      deletedAt: sql`now()`,
    });
    await ctx.jobs.send(tx, PURGE_QUEUE, { userId: caller.uid, sessionId: id }, { startAfterSeconds: COPY_WITHIN });
    return id;
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
  requireRoom(await lockUsage(tx, caller.uid), 1);
  await changeUsage(tx, caller.uid, { sessions: 1 });
}

/** Refuses more sessions than the plan has room for; archived ones count like any other. */
function requireRoom(usage: LockedUsage, more: number) {
  const limit = limitsOf(usage.plan).sessions;
  if (limit !== null && usage.sessionCount + more > limit) {
    throw new AppError('limit_reached', SENTENCES.sessionLimit);
  }
}

async function notifyList(ctx: Deps, tx: Tx, uid: string, ids: string[]) {
  await notifySessions(ctx, tx, uid, ids);
  await ctx.live.notify(tx, uid, 'account', uid);
}

/** Tells every open tab that these sessions changed, in one notice. */
export const notifySessions = (ctx: Deps, tx: Tx, uid: string, ids: string[]): Promise<void> =>
  ctx.live.notify(tx, uid, 'sessions', ids.length === 1 ? (ids[0] ?? '') : '');

/** Names the session after its first exchange, unless the person has named it. */
export async function titleSession(ctx: Deps, input: { userId: string; sessionId: string; title: string }) {
  await ctx.db.transaction(async (tx) => {
    const named = await tx
      .update(sessions)
      .set({ name: input.title, nameSource: 'title' })
      .where(
        and(eq(sessions.userId, input.userId), eq(sessions.id, input.sessionId), ne(sessions.nameSource, 'person')),
      )
      .returning({ id: sessions.id });
    if (named.length > 0) await ctx.live.notify(tx, input.userId, 'sessions', input.sessionId);
  });
}

/** Removes a generated name when the messages that it described are gone. */
export async function untitleSession(ctx: Deps, tx: Tx, key: SessionKey): Promise<void> {
  const agentName = sql<string>`(select a.name from agents a where a.user_id = ${sessions.userId} and a.id = ${sessions.agentId})`;
  const [found] = await tx
    .select({ agentName })
    .from(sessions)
    .where(and(isSession(key), eq(sessions.nameSource, 'title')));
  if (found === undefined) return;
  const name = defaultSessionName(found.agentName);
  await tx.update(sessions).set({ name, nameSource: 'default' }).where(isSession(key));
  await ctx.live.notify(tx, key.userId, 'sessions', key.sessionId);
}

/** Hides those of the sessions that aren't hidden yet, subtracts them from the count, and returns their ids. */
export async function hideSessions(ctx: Deps, tx: Tx, uid: string, ids: string[]): Promise<string[]> {
  await lockUsage(tx, uid);
  const hidden = await tx
    .update(sessions)
    .set({ deletedAt: sql`now()` })
    .where(and(areSessions(uid, ids), isNull(sessions.deletedAt)))
    .returning({ id: sessions.id });
  if (hidden.length === 0) return [];
  await changeUsage(tx, uid, { sessions: -hidden.length });
  await notifyList(ctx, tx, uid, ids);
  return hidden.map((row) => row.id);
}

/**
 * Undoes deletes and returns the sessions; 402 when they no longer fit the free limit, then none comes back; 404 once all are gone for good.
 */
export async function restoreSessions(ctx: Deps, caller: Caller, ids: string[]): Promise<SessionWithAgent[]> {
  return ctx.db.transaction(async (tx) => {
    const usage = await lockUsage(tx, caller.uid);
    const back = await tx
      .update(sessions)
      .set({ deletedAt: null })
      .where(and(areSessions(caller.uid, ids), isNotNull(sessions.deletedAt)))
      .returning({ id: sessions.id });
    if (back.length === 0) throw notFound('This session');
    requireRoom(usage, back.length);
    await changeUsage(tx, caller.uid, { sessions: back.length });
    await notifyList(ctx, tx, caller.uid, ids);
    return findSessions(
      tx,
      caller.uid,
      back.map((row) => row.id),
    );
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

/** The rows of these sessions of one person. */
export const areSessions = (uid: string, ids: string[]) => and(eq(sessions.userId, uid), inArray(sessions.id, ids));

const isSession = ({ userId, sessionId }: SessionKey) => and(eq(sessions.userId, userId), eq(sessions.id, sessionId));
