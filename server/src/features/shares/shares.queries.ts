import { and, desc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { mayEnter } from '../accounts/accounts.service.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';
import { taskPlaces } from '../runs/places.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { shares } from './shares.table.ts';

const livingShares = (db: Db, where: SQL | undefined) =>
  db
    .select({ share: shares, session: sessions, agent: agents })
    .from(shares)
    .innerJoin(sessions, and(eq(sessions.userId, shares.userId), eq(sessions.id, shares.sessionId)))
    .innerJoin(agents, and(eq(agents.userId, sessions.userId), eq(agents.id, sessions.agentId)))
    .where(and(where, isNull(sessions.deletedAt)));

/** A person's links, newest first, of all sessions or one. */
export const sharesOf = (db: Db, uid: string, sessionId?: string) =>
  livingShares(
    db,
    and(eq(shares.userId, uid), sessionId === undefined ? undefined : eq(shares.sessionId, sessionId)),
  ).orderBy(desc(shares.createdAt), desc(shares.id));
export type LivingShare = Awaited<ReturnType<typeof sharesOf>>[number];

export const shareById = (db: Db, uid: string, id: string) =>
  livingShares(db, and(eq(shares.userId, uid), eq(shares.id, id))).limit(1);

/** The link of a token, unless its session is deleted or its account is disabled. */
export const shareByToken = (db: Db, token: string) =>
  livingShares(db, and(eq(shares.token, token), mayEnter))
    .innerJoin(user, eq(user.id, shares.userId))
    .limit(1);

/** What is shown of exchanges that are not deleted: nothing else of them is read. */
export function shownTasks(db: Db, uid: string, sessionId: string, ids: string[]) {
  const { id, createdAt, agentName, inputText, message, model, memoryUsed, toolCalls } = tasks;
  const inSession = and(eq(tasks.userId, uid), eq(tasks.sessionId, sessionId));
  return db
    .select({ id, createdAt, agentName, inputText, message, model, memoryUsed, toolCalls })
    .from(tasks)
    .innerJoin(taskPlaces, and(eq(taskPlaces.userId, tasks.userId), eq(taskPlaces.taskId, id)))
    .where(and(inSession, inArray(id, ids), isNull(taskPlaces.deletedAt)));
}
export type ShownTask = Awaited<ReturnType<typeof shownTasks>>[number];
