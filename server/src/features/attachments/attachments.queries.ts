import { and, eq, inArray, isNull, lt, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { prepareOnce } from '../../platform/database/prepared.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { attachmentColumns, attachments, attachmentText } from './attachments.table.ts';

/** A person's attachments with these ids. */
export const ofUser = (userId: string, ids: readonly string[]) =>
  and(eq(attachments.userId, userId), inArray(attachments.id, [...ids]));

/** Whether a message of the person names the attachment, in one session or in any; also one that waits to be sent. */
const isNamed = (sessionId?: Placeholder): SQL =>
  sql`(${isNamedIn(tasks, sessionId)} or ${isNamedIn(queuedMessages, sessionId)})`;

const isNamedIn = (table: typeof tasks | typeof queuedMessages, sessionId?: Placeholder): SQL => sql`exists (
  select from ${table} where ${table.userId} = ${attachments.userId} and ${table.attachments} <> '[]'
    ${sessionId === undefined ? sql`` : sql`and ${table.sessionId} = ${sessionId}`}
    and ${table.attachments} @> jsonb_build_array(jsonb_build_object('id', ${attachments.id})))`;

/** One attachment of a session that isn't deleted: uploaded for it, or named by one of its messages. */
export const attachmentStatement = prepareOnce((db) => {
  const [userId, sessionId] = [sql.placeholder('userId'), sql.placeholder('sessionId')];
  return db
    .select(attachmentColumns)
    .from(attachments)
    .innerJoin(sessions, and(eq(sessions.userId, userId), eq(sessions.id, sessionId), isNull(sessions.deletedAt)))
    .where(
      and(
        eq(attachments.userId, userId),
        eq(attachments.id, sql.placeholder('id')),
        eq(attachments.state, 'ready'),
        isNull(attachments.deletedAt),
        or(eq(attachments.sessionId, sessionId), isNamed(sessionId)),
      ),
    )
    .prepare('attachment');
});

const present = (userId: string, ids: readonly string[]) => and(ofUser(userId, ids), isNull(attachments.deletedAt));

/** A person's attachments with these ids, in no order. */
export const findAttachments = (db: Db, userId: string, ids: readonly string[]) =>
  db.select(attachmentColumns).from(attachments).where(present(userId, ids));

/** The same with the text of files. */
export const findAttachedTexts = (db: Db, userId: string, ids: readonly string[]) =>
  db
    .select({ ...attachmentColumns, text: attachmentText })
    .from(attachments)
    .where(present(userId, ids));

/** The attachments that were uploaded for a session. */
export const uploadedFor = (userId: string, sessionId: string) =>
  and(eq(attachments.userId, userId), eq(attachments.sessionId, sessionId));

/** Those of these attachments that no message names any more. */
export const unnamed = (which: SQL | undefined) => and(which, sql`not ${isNamed()}`);

/** What was uploaded this many hours ago and never sent. */
export const unsent = (hours: number) =>
  and(isNull(attachments.sentAt), lt(attachments.createdAt, sql`now() - make_interval(hours => ${hours})`));
