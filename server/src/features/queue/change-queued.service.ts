import type { QueuedMessage } from '@atelier/contract/runs';
import { QUEUE_SENTENCES } from '@atelier/contract/runs/queue';
import { and, eq, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import type { Authorized } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { SessionKey, SessionWithAgent } from '../sessions/sessions.service.ts';
import { findQueue, findQueued, findSent, inQueue, isStillWaiting, lockSession } from './queue.queries.ts';
import { keyOf, notifyQueue, requireRoom } from './queue.service.ts';
import { queuedMessages } from './queue.table.ts';
import { toQueued } from './queued-message.ts';

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
