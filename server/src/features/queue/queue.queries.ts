import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import { someOf } from '../../platform/database/portions.ts';
import { mayEnter } from '../accounts/accounts.service.ts';
import { profiles, user } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';
import { inFlight, tasks } from '../runs/runs.table.ts';
import type { SessionKey } from '../sessions/sessions.service.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { queuedMessages } from './queue.table.ts';

/** The rows of a session's queue. */
export const inQueue = ({ userId, sessionId }: SessionKey) =>
  and(eq(queuedMessages.userId, userId), eq(queuedMessages.sessionId, sessionId));

export const isLiving = isNull(queuedMessages.removedAt);
/** Neither removed nor on its way to the agent. */
export const isStillWaiting = and(isLiving, isNull(queuedMessages.sendingAt));

/** A session's queue in the order in which it is sent. */
export const findQueue = (db: Db, key: SessionKey) =>
  db
    .select()
    .from(queuedMessages)
    .where(and(inQueue(key), isLiving))
    .orderBy(asc(queuedMessages.createdAt), asc(queuedMessages.id));

/** One message of a session's queue, also a removed one. */
export async function findQueued(db: Db, key: SessionKey, id: string) {
  const [row] = await db
    .select()
    .from(queuedMessages)
    .where(and(inQueue(key), eq(queuedMessages.id, id)));
  return row;
}

/** The next message of a session, its agent's address and its author's plan; undefined when nothing waits, or nobody may send it now. */
export async function findNext(db: Db, key: SessionKey) {
  const [next] = await db
    .select({
      row: queuedMessages,
      agent: agents.slug,
      name: user.name,
      email: user.email,
      plan: profiles.subscriptionStatus,
    })
    .from(queuedMessages)
    .innerJoin(sessions, and(eq(sessions.userId, queuedMessages.userId), eq(sessions.id, queuedMessages.sessionId)))
    .innerJoin(agents, and(eq(agents.userId, sessions.userId), eq(agents.id, sessions.agentId)))
    .innerJoin(user, eq(user.id, queuedMessages.userId))
    .innerJoin(profiles, eq(profiles.userId, user.id))
    .where(and(inQueue(key), isLiving, isNull(sessions.deletedAt), mayEnter))
    .orderBy(asc(queuedMessages.createdAt), asc(queuedMessages.id))
    .limit(1);
  return next;
}

/** The session's latest exchange: how it stands, and when it ended. */
export async function findLatest(db: Db, { userId, sessionId }: SessionKey) {
  const [latest] = await db
    .select({ status: tasks.status, finishedAt: tasks.finishedAt })
    .from(tasks)
    .where(and(eq(tasks.userId, userId), eq(tasks.sessionId, sessionId)))
    .orderBy(desc(tasks.createdAt), desc(tasks.id))
    .limit(1);
  return latest;
}

/** Whether a message of this id has to wait: behind a running answer or others of the session, or because it is in a queue already. */
export async function hasToWait(db: Db, key: SessionKey, id: string): Promise<boolean> {
  // As a start is refused: what is being written need not be the latest.
  const inSession = and(eq(tasks.userId, key.userId), eq(tasks.sessionId, key.sessionId));
  if ((await db.$count(tasks, and(inSession, inFlight(tasks.status)))) > 0) return true;
  const waiting = and(inQueue(key), isLiving, isNull(queuedMessages.reason));
  const [row] = await db
    .select({ id: queuedMessages.id })
    .from(queuedMessages)
    .where(and(eq(queuedMessages.userId, key.userId), or(eq(queuedMessages.id, id), waiting)))
    .limit(1);
  return row !== undefined;
}

/** Marks a message as being sent; false when it was changed or taken meanwhile. */
export async function claim(db: Db, row: { userId: string; id: string; inputText: string }): Promise<boolean> {
  const claimed = await db
    .update(queuedMessages)
    .set({ sendingAt: sql`now()` })
    .where(
      and(
        eq(queuedMessages.userId, row.userId),
        eq(queuedMessages.id, row.id),
        eq(queuedMessages.inputText, row.inputText),
        isStillWaiting,
        isNull(queuedMessages.reason),
      ),
    )
    .returning({ id: queuedMessages.id });
  return claimed.length > 0;
}

/** Makes a queue's messages wait for the person: all of them, or those that waited at this time. */
export async function pause(tx: Tx, key: SessionKey, reason: string, at: Date | null): Promise<void> {
  const waited = at === null ? undefined : lte(queuedMessages.waitingSince, at);
  await tx
    .update(queuedMessages)
    .set({ reason, sendingAt: null })
    .where(and(inQueue(key), isLiving, waited));
}

/** Makes every message of an account that waits, wait for the person. */
export const pauseAll = (tx: Tx, userId: string, reason: string) =>
  tx
    .update(queuedMessages)
    .set({ reason, sendingAt: null })
    .where(and(eq(queuedMessages.userId, userId), isLiving));

/** Locks a session against other changes of its queue. */
export async function lockSession(tx: Tx, { userId, sessionId }: SessionKey): Promise<void> {
  await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId)))
    .for('no key update');
}

/** The exchange that a request with one of these keys became; a queued message has its id as the key. */
export async function findSent(db: Db, userId: string, ...requestKeys: string[]) {
  const { idempotencyKey: requestKey, sessionId, inputText, attachments, createdAt } = tasks;
  const [task] = await db
    .select({ requestKey, sessionId, inputText, attachments, createdAt })
    .from(tasks)
    .where(and(eq(tasks.userId, userId), inArray(requestKey, requestKeys)));
  return task;
}

/** The sessions in which something is to be sent. */
export const findWaitingSessions = (db: Db) =>
  db
    .selectDistinct({ userId: queuedMessages.userId, sessionId: queuedMessages.sessionId })
    .from(queuedMessages)
    .where(and(isLiving, isNull(queuedMessages.reason)));

const wasRemoved = and(
  isNotNull(queuedMessages.removedAt),
  lt(queuedMessages.removedAt, sql`now() - interval '30 seconds'`),
);

/** Deletes some of what was removed a while ago, and returns whose it was and what was attached. */
export const deleteRemoved = (tx: Tx, size: number) =>
  tx
    .delete(queuedMessages)
    .where(someOf(queuedMessages, wasRemoved, size))
    .returning({ userId: queuedMessages.userId, attachments: queuedMessages.attachments });
