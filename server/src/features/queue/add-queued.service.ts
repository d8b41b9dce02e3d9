import type { QueuedMessage } from '@atelier/contract/runs/queue';
import { and, eq, sql } from 'drizzle-orm';
import type { Authorized } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { idOfRequest } from '../../platform/http/request-headers.ts';
import { takeAttachments, wordsOf } from '../attachments/attachments.service.ts';
import { AGENT_DELETED } from '../runs/runs.start.service.ts';
import type { SessionKey, SessionWithAgent } from '../sessions/sessions.service.ts';
import { findQueue, findSent, lockSession } from './queue.queries.ts';
import { keyOf, notifyQueue, requireRoom } from './queue.service.ts';
import { queuedMessages } from './queue.table.ts';
import { attached, toQueued } from './queued-message.ts';

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
  const id = idOfRequest(key.userId, idempotencyKey);
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
