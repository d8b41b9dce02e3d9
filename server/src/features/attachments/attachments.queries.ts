import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { attachments } from './attachments.table.ts';

const ofUser = (userId: string, ids: readonly string[]) =>
  and(eq(attachments.userId, userId), inArray(attachments.id, [...ids]));

/** Whether a message of the person names the attachment, in one session or in any; also one that waits to be sent. */
const isNamed = (sessionId?: string): SQL =>
  sql`(${isNamedIn(tasks, sessionId)} or ${isNamedIn(queuedMessages, sessionId)})`;

const isNamedIn = (table: typeof tasks | typeof queuedMessages, sessionId?: string): SQL => sql`exists (
  select from ${table} where ${table.userId} = ${attachments.userId} and ${table.attachments} <> '[]'
    ${sessionId === undefined ? sql`` : sql`and ${table.sessionId} = ${sessionId}`}
    and ${table.attachments} @> jsonb_build_array(jsonb_build_object('id', ${attachments.id})))`;

/** One attachment of a session: uploaded for it, or named by one of its messages. */
export async function findAttachment(db: Db, userId: string, sessionId: string, id: string) {
  const [row] = await db
    .select()
    .from(attachments)
    .where(
      and(
        ofUser(userId, [id]),
        eq(attachments.state, 'ready'),
        isNull(attachments.deletedAt),
        or(eq(attachments.sessionId, sessionId), isNamed(sessionId)),
      ),
    );
  return row;
}

/** A person's attachments with these ids, in no order. */
export const findAttachments = (db: Db, userId: string, ids: readonly string[]) =>
  db
    .select()
    .from(attachments)
    .where(and(ofUser(userId, ids), isNull(attachments.deletedAt)));

/** Every attachment that was uploaded for a session, or that its messages name. */
export async function findOfSession(tx: Tx, userId: string, sessionId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: attachments.id })
    .from(attachments)
    .where(and(eq(attachments.userId, userId), or(eq(attachments.sessionId, sessionId), isNamed(sessionId))));
  return rows.map(({ id }) => id);
}

/** Every attachment that a message names. */
export async function findOfTask(tx: Tx, userId: string, taskId: string): Promise<string[]> {
  const own = and(eq(tasks.userId, userId), eq(tasks.id, taskId));
  const [task] = await tx.select({ attachments: tasks.attachments }).from(tasks).where(own);
  return (task?.attachments ?? []).map(({ id }) => id);
}

/** Hides those of these attachments that no message names any more, and returns them. */
export const hideUnnamed = (tx: Tx, userId: string, ids: readonly string[]) =>
  tx
    .update(attachments)
    .set({ deletedAt: sql`now()` })
    .where(and(ofUser(userId, ids), sql`not ${isNamed()}`))
    .returning({ id: attachments.id });

/** Hides what was uploaded this many hours ago and never sent. */
export const hideUnsent = (db: Db, hours: number) =>
  db
    .update(attachments)
    .set({ deletedAt: sql`now()` })
    .where(
      and(
        isNull(attachments.sentAt),
        isNull(attachments.deletedAt),
        lt(attachments.createdAt, sql`now() - make_interval(hours => ${hours})`),
      ),
    );

/** What began to be uploaded this many minutes ago and never got stored. */
const isUnstored = (minutes: number) =>
  and(
    eq(attachments.state, 'uploading'),
    isNull(attachments.sentAt),
    lt(attachments.createdAt, sql`now() - make_interval(mins => ${minutes})`),
  );

/** Attachments of anyone whose bytes are still to be removed: hidden ones, and uploads that broke off. */
export const findGone = (db: Db, limit: number, uploadMinutes: number) =>
  db
    .select({ userId: attachments.userId, id: attachments.id, key: attachments.key })
    .from(attachments)
    .where(or(isNotNull(attachments.deletedAt), isUnstored(uploadMinutes)))
    .limit(limit);

/** The same, of one person. */
export const findHiddenOf = (db: Db, userId: string, ids: readonly string[]) =>
  db
    .select({ userId: attachments.userId, id: attachments.id, key: attachments.key })
    .from(attachments)
    .where(and(ofUser(userId, ids), isNotNull(attachments.deletedAt)));
