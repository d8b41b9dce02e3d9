import { QUEUE_MAX, QUEUE_SENTENCES, type QueuedMessage } from '@atelier/contract/composer/queue';
import { and, eq, sql } from 'drizzle-orm';
import { validate as isUuid, v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import type { Authorized } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { takeAttachments, toAttachment, wordsOf } from '../attachments/attachments.service.ts';
import { dropUnnamed } from '../attachments/remove-attachments.service.ts';
import { AGENT_DELETED } from '../runs/runs.start.service.ts';
import type { SessionKey, SessionWithAgent } from '../sessions/sessions.service.ts';
import {
  deleteRemoved,
  findQueue,
  findQueued,
  findSent,
  inQueue,
  isLiving,
  isStillWaiting,
  lockSession,
} from './queue.queries.ts';
import { type QueuedRow, queuedMessages } from './queue.table.ts';

/** Makes an id of a request's own key: the same request asks for the same message. */
const NAMESPACE = '6b0f6a3e-3c2c-4d0a-9a53-9a0c7d1f4e11';

export const keyOf = ({ userId, id }: Pick<SessionWithAgent, 'userId' | 'id'>): SessionKey => ({
  userId,
  sessionId: id,
});

export function toQueued(row: QueuedRow): QueuedMessage {
  const { id, sessionId, inputText, createdAt, reason } = row;
  const waits = reason === null ? 'waiting' : 'paused';
  return {
    id,
    sessionId,
    inputText,
    ...attached(row),
    createdAt: createdAt.toISOString(),
    state: row.removedAt !== null ? 'removed' : row.sendingAt !== null ? 'sending' : waits,
    ...(reason === null ? {} : { reason }),
  };
}

const attached = ({ attachments, sessionId }: Pick<QueuedRow, 'attachments' | 'sessionId'>) =>
  attachments.length === 0 ? {} : { attachments: attachments.map((one) => toAttachment(one, sessionId)) };

/** The messages that wait in a session, in the order in which they are sent. */
export async function listQueue(ctx: Deps, session: Authorized<SessionWithAgent>): Promise<QueuedMessage[]> {
  return (await findQueue(ctx.db, keyOf(session))).map(toQueued);
}

/**
 * Puts a message at the end of a session's queue, with its attachments (400 when one is gone). The same key with the same message answers
 * what became of the first one. 409 when the queue is full, the agent was deleted, or the key was used for another message.
 */
export async function addQueued(
  ctx: Deps,
  session: Authorized<SessionWithAgent>,
  input: { inputText: string; attachmentIds?: string[] | undefined; idempotencyKey?: string | undefined },
): Promise<QueuedMessage> {
  const key = keyOf(session);
  const { attachmentIds = [], idempotencyKey } = input;
  const id = idempotencyKey === undefined ? uuidv7() : uuidv5(`${key.userId} ${idempotencyKey}`, NAMESPACE);
  return ctx.db.transaction(async (tx) => {
    await lockSession(tx, key);
    const inputText = await wordsOf(tx, key.userId, input.inputText, attachmentIds);
    const earlier =
      idempotencyKey === undefined ? undefined : await findEarlier(tx, key, { id, inputText, attachmentIds });
    if (earlier !== undefined) return earlier;
    if (session.agent.deletedAt !== null) throw new AppError('conflict', AGENT_DELETED);
    const waiting = await findQueue(tx, key);
    requireRoom(waiting);
    const [row] = await tx
      .insert(queuedMessages)
      .values({
        ...key,
        id,
        inputText,
        attachments: attachmentIds.length === 0 ? [] : await takeAttachments(tx, key.userId, attachmentIds),
        // Behind messages that wait for the person, it waits too.
        reason: waiting.find(({ reason }) => reason !== null)?.reason ?? null,
        createdAt: sql`greatest(clock_timestamp(), (select max(q.created_at) + interval '1 millisecond' from queued_messages q
          where q.user_id = ${key.userId} and q.session_id = ${key.sessionId}))`,
        waitingSince: sql`clock_timestamp()`,
      })
      .returning();
    if (row === undefined) throw new Error('the statement that queues a message returned nothing');
    await notifyQueue(ctx, tx, key);
    return toQueued(row);
  });
}

function requireRoom(waiting: readonly unknown[]) {
  if (waiting.length >= QUEUE_MAX) throw new AppError('conflict', QUEUE_SENTENCES.full);
}

interface Repeated {
  id: string;
  inputText: string;
  attachmentIds: string[];
}

/** What an earlier request with the same key queued, or has sent since; 409 for another message. */
async function findEarlier(tx: Tx, key: SessionKey, { id, inputText, attachmentIds }: Repeated) {
  const [row] = await tx
    .select()
    .from(queuedMessages)
    .where(and(eq(queuedMessages.userId, key.userId), eq(queuedMessages.id, id)));
  const sent = row === undefined ? await findSent(tx, key.userId, id) : undefined;
  const known = row ?? sent;
  if (known === undefined) return undefined;
  const isSame =
    known.inputText === inputText && known.attachments.map((one) => one.id).join() === attachmentIds.join();
  if (!isSame || known.sessionId !== key.sessionId) {
    throw new AppError('conflict', 'This Idempotency-Key was used with another message.');
  }
  if (row !== undefined) return toQueued(row);
  const { sessionId, createdAt } = known;
  return { id, sessionId, inputText, ...attached(known), createdAt: createdAt.toISOString(), state: 'sent' as const };
}

/** Changes the words of a message that still waits; 409 once it was sent. */
export async function editQueued(ctx: Deps, session: Authorized<SessionWithAgent>, id: string, inputText: string) {
  return change(ctx, keyOf(session), id, { inputText });
}

/** Takes a message out of the queue; it can be restored for a while. 409 once it was sent. */
export async function removeQueued(ctx: Deps, session: Authorized<SessionWithAgent>, id: string): Promise<void> {
  const key = keyOf(session);
  const row = isUuid(id) ? await findQueued(ctx.db, key, id) : undefined;
  if (row === undefined || row.removedAt === null) await change(ctx, key, id, { removedAt: sql`now()` });
}

async function change(ctx: Deps, key: SessionKey, id: string, set: object): Promise<QueuedMessage> {
  if (!isUuid(id)) throw notFound('This message');
  const row = await ctx.db.transaction(async (tx) => {
    const [changed] = await tx
      .update(queuedMessages)
      .set(set)
      .where(and(inQueue(key), eq(queuedMessages.id, id), isStillWaiting))
      .returning();
    if (changed !== undefined) await notifyQueue(ctx, tx, key);
    return changed;
  });
  if (row !== undefined) return toQueued(row);
  const left = await findQueued(ctx.db, key, id);
  const isSent =
    left === undefined
      ? (await findSent(ctx.db, key.userId, id))?.sessionId === key.sessionId
      : left.sendingAt !== null;
  if (isSent) throw new AppError('conflict', QUEUE_SENTENCES.sent);
  throw notFound('This message');
}

/** Undoes a removal, in the same place of the queue; 404 once it is gone for good, 409 when the queue is full. */
export async function restoreQueued(ctx: Deps, session: Authorized<SessionWithAgent>, id: string) {
  const key = keyOf(session);
  if (!isUuid(id)) throw notFound('This message');
  return ctx.db.transaction(async (tx) => {
    await lockSession(tx, key);
    const row = await findQueued(tx, key, id);
    if (row === undefined) throw notFound('This message');
    if (row.removedAt === null) return toQueued(row);
    const waiting = await findQueue(tx, key);
    requireRoom(waiting);
    const reason = row.reason ?? waiting.find((other) => other.reason !== null)?.reason ?? null;
    const back = { removedAt: null, reason };
    await tx
      .update(queuedMessages)
      .set(back)
      .where(and(inQueue(key), eq(queuedMessages.id, id)));
    await notifyQueue(ctx, tx, key);
    return toQueued({ ...row, ...back });
  });
}

/** Lets a paused queue go on; what follows is as if its messages had been queued now. */
export async function releaseQueue(ctx: Deps, session: Authorized<SessionWithAgent>): Promise<void> {
  const key = keyOf(session);
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(queuedMessages)
      .set({ reason: null, waitingSince: sql`clock_timestamp()` })
      .where(and(inQueue(key), isLiving));
    await notifyQueue(ctx, tx, key);
  });
}

/** Deletes what was removed a while ago, with attachments that no other message names. */
export async function purgeRemoved(ctx: Deps): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    for (const { userId, attachments } of await deleteRemoved(tx)) {
      await dropUnnamed(
        ctx,
        tx,
        userId,
        attachments.map(({ id }) => id),
      );
    }
  });
}

/** Tells the person's pages that a session's queue changed. */
export const notifyQueue = (ctx: Deps, tx: Tx, { userId, sessionId }: SessionKey) =>
  ctx.live.notify(tx, userId, 'queue', sessionId);
