import type { QueuedMessage } from '@atelier/contract/runs';
import { QUEUE_MAX, QUEUE_SENTENCES } from '@atelier/contract/runs/queue';
import { and, eq, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import type { Authorized } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import { inPortions, WIDE_ROWS } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { dropUnnamed, toAttachment } from '../attachments/attachments.service.ts';
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

export const sessionKeyOf = ({ userId, id }: Pick<SessionWithAgent, 'userId' | 'id'>): SessionKey => ({
  userId,
  sessionId: id,
});

/** The messages that wait in a session, in the order in which they are sent. */
export async function listQueue(ctx: Deps, session: Authorized<SessionWithAgent>): Promise<QueuedMessage[]> {
  return (await findQueue(ctx.db, sessionKeyOf(session))).map(toQueued);
}

/** Throws 409 when a queue has no room for another message. */
export function requireRoom(waiting: readonly unknown[]) {
  if (waiting.length >= QUEUE_MAX) throw new AppError('conflict', QUEUE_SENTENCES.full);
}

/** Lets a paused queue go on; what follows is as if its messages had been queued now. */
export async function releaseQueue(ctx: Deps, session: Authorized<SessionWithAgent>): Promise<void> {
  const key = sessionKeyOf(session);
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(queuedMessages)
      .set({ reason: null, waitingSince: sql`clock_timestamp()` })
      .where(and(inQueue(key), isLiving));
    await notifyQueue(ctx, tx, key);
  });
}

/** Deletes what was removed a while ago, in portions, with attachments that no other message names. */
export const purgeRemoved = (ctx: Deps): Promise<void> =>
  inPortions(
    ctx.db,
    async (tx, size) => {
      const removed = await deleteRemoved(tx, size);
      for (const { userId, attachments } of removed) {
        const ids = attachments.map(({ id }) => id);
        await dropUnnamed(ctx, tx, userId, ids);
      }
      return removed.length;
    },
    WIDE_ROWS,
  );

/** Tells the person's pages that a session's queue changed. */
export const notifyQueue = (ctx: Deps, tx: Tx, { userId, sessionId }: SessionKey) =>
  ctx.live.notify(tx, userId, 'queue', sessionId);

/** A waiting message for the API. */
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

export const attached = ({ attachments, sessionId }: Pick<QueuedRow, 'attachments' | 'sessionId'>) =>
  attachments.length === 0 ? {} : { attachments: attachments.map((one) => toAttachment(one, sessionId)) };

/** Changes the words of a message that still waits; 409 once it was sent. */
export async function editQueued(ctx: Deps, session: Authorized<SessionWithAgent>, id: string, inputText: string) {
  return change(ctx, sessionKeyOf(session), id, { inputText });
}

/** Takes a message out of the queue; it can be restored for a while. 409 once it was sent. */
export async function removeQueued(ctx: Deps, session: Authorized<SessionWithAgent>, id: string): Promise<void> {
  const key = sessionKeyOf(session);
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
  const current = await findQueued(ctx.db, key, id);
  const isSent =
    current === undefined
      ? (await findSent(ctx.db, key.userId, id))?.sessionId === key.sessionId
      : current.sendingAt !== null;
  if (isSent) throw new AppError('conflict', QUEUE_SENTENCES.sent);
  throw notFound('This message');
}

/** Undoes a removal, in the same place of the queue; 404 once it is gone for good, 409 when the queue is full. */
export async function restoreQueued(ctx: Deps, session: Authorized<SessionWithAgent>, id: string) {
  const key = sessionKeyOf(session);
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
