import type { QueuedMessage, Task } from '@atelier/contract/runs';
import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Authorized, Caller } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { idOfRequest } from '../../platform/http/request-headers.ts';
import { inputTextOf, takeAttachments } from '../attachments/attachments.service.ts';
import {
  AGENT_DELETED,
  type DepsWithRunner,
  refusalOf,
  STILL_RUNNING,
  type Start,
  startTask,
} from '../runs/runs.start.service.ts';
import { getSession, type SessionKey, type SessionWithAgent } from '../sessions/sessions.service.ts';
import { findQueue, findSent, hasToWait, lockSession } from './queue.queries.ts';
import { attached, notifyQueue, requireRoom, sessionKeyOf, toQueued } from './queue.service.ts';
import { queuedMessages } from './queue.table.ts';
import type { Queues } from './send-queued.service.ts';

/**
 * Puts a message at the end of a session's queue, with its attachments (400 when one is gone). The same key with the same message answers
 * what became of the first one. 409 when the queue is full, the agent was deleted, or the key was used for another message.
 */
export async function addQueued(
  ctx: Deps,
  queues: Queues,
  session: Authorized<SessionWithAgent>,
  input: { inputText: string; attachmentIds?: string[] | undefined; idempotencyKey?: string | undefined },
): Promise<QueuedMessage> {
  const key = sessionKeyOf(session);
  const { attachmentIds = [], idempotencyKey } = input;
  const id = idOfRequest(key.userId, idempotencyKey);
  const queued = await ctx.db.transaction(async (tx) => {
    await lockSession(tx, key);
    const inputText = await inputTextOf(tx, key.userId, input.inputText, attachmentIds);
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
  // The answer may have ended before this message came.
  void queues.moveOn(key);
  return queued;
}

/**
 * Sends a message, or puts it at the end of the queue while an answer is running or others wait to be sent. The same key with the same message
 * answers what became of the first one, also of one that was sent without waiting. Throws as `startTask` and `addQueued` do.
 */
export async function sendOrQueue(
  ctx: DepsWithRunner,
  queues: Queues,
  caller: Caller,
  input: Start,
): Promise<{ task: Task } | { queued: QueuedMessage }> {
  const session = await getSession(ctx.db, caller.uid, input.sessionId);
  const { attachmentIds = [], idempotencyKey = uuidv7() } = input;
  // The key of its task too, so that it is sent once, whoever sends it.
  const id = idOfRequest(caller.uid, idempotencyKey);
  const inputText = await inputTextOf(ctx.db, caller.uid, input.inputText, attachmentIds);
  const sent = await findSent(ctx.db, caller.uid, id, idempotencyKey);
  if (sent === undefined && (await hasToWait(ctx.db, sessionKeyOf(session), id))) {
    if (session.agent.slug !== input.agentId) throw refusalOf('other_agent');
    const queued = await addQueued(ctx, queues, session, { inputText, attachmentIds, idempotencyKey });
    return queued.state === 'sent' ? sendOrQueue(ctx, queues, caller, { ...input, idempotencyKey }) : { queued };
  }
  try {
    return { task: await startTask(ctx, caller, { ...input, inputText, idempotencyKey: sent?.requestKey ?? id }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.message !== STILL_RUNNING) throw error;
    // Another message came before it.
    return sendOrQueue(ctx, queues, caller, { ...input, idempotencyKey });
  }
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
  const earlier = row ?? sent;
  if (earlier === undefined) return undefined;
  const isSame =
    earlier.inputText === inputText && earlier.attachments.map((one) => one.id).join() === attachmentIds.join();
  if (!isSame || earlier.sessionId !== key.sessionId) {
    throw new AppError('conflict', 'This Idempotency-Key was used with another message.');
  }
  if (row !== undefined) return toQueued(row);
  const { sessionId, createdAt } = earlier;
  return { id, sessionId, inputText, ...attached(earlier), createdAt: createdAt.toISOString(), state: 'sent' as const };
}
