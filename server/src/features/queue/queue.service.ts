import type { QueuedMessage } from '@atelier/contract/runs';
import { QUEUE_MAX, QUEUE_SENTENCES } from '@atelier/contract/runs/queue';
import { and, sql } from 'drizzle-orm';
import type { Authorized } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import { inPortions, WIDE_ROWS } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { dropUnnamed } from '../attachments/attachments.service.ts';
import type { SessionKey, SessionWithAgent } from '../sessions/sessions.service.ts';
import { deleteRemoved, findQueue, inQueue, isLiving } from './queue.queries.ts';
import { queuedMessages } from './queue.table.ts';
import { toQueued } from './queued-message.ts';

export const keyOf = ({ userId, id }: Pick<SessionWithAgent, 'userId' | 'id'>): SessionKey => ({
  userId,
  sessionId: id,
});

/** The messages that wait in a session, in the order in which they are sent. */
export async function listQueue(ctx: Deps, session: Authorized<SessionWithAgent>): Promise<QueuedMessage[]> {
  return (await findQueue(ctx.db, keyOf(session))).map(toQueued);
}

/** Throws 409 when a queue has no room for another message. */
export function requireRoom(waiting: readonly unknown[]) {
  if (waiting.length >= QUEUE_MAX) throw new AppError('conflict', QUEUE_SENTENCES.full);
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

/** Deletes what was removed a while ago, in portions, with attachments that no other message names. */
export const purgeRemoved = (ctx: Deps): Promise<void> =>
  inPortions(
    ctx.db,
    async (tx, size) => {
      const removed = await deleteRemoved(tx, size);
      for (const { userId, attachments } of removed) {
        await dropUnnamed(
          ctx,
          tx,
          userId,
          attachments.map(({ id }) => id),
        );
      }
      return removed.length;
    },
    WIDE_ROWS,
  );

/** Tells the person's pages that a session's queue changed. */
export const notifyQueue = (ctx: Deps, tx: Tx, { userId, sessionId }: SessionKey) =>
  ctx.live.notify(tx, userId, 'queue', sessionId);
