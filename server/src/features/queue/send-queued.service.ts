import { isInFlight, type Task } from '@atelier/contract/runs';
import { QUEUE_SENTENCES } from '@atelier/contract/runs/queue';
import { and, eq } from 'drizzle-orm';
import { proRequired } from '../../access.ts';
import { AppError } from '../../platform/errors.ts';
import { createTurns } from '../../platform/turns.ts';
import { RESET_QUEUE } from '../accounts/accounts.passwords.service.ts';
import { requestCancelOfUser } from '../runs/runs.cancel.service.ts';
import { type DepsWithRunner, STILL_RUNNING, startTask } from '../runs/runs.start.service.ts';
import type { TaskRow } from '../runs/runs.table.ts';
import type { SessionKey } from '../sessions/sessions.service.ts';
import { claim, findLatest, findNext, findWaitingSessions, pause, pauseAll } from './queue.queries.ts';
import { notifyQueue, purgeRemoved } from './queue.service.ts';
import { queuedMessages } from './queue.table.ts';

/** After an error, above all of the database. */
const AGAIN_SECONDS = 5;

/** The queues that this process follows: only of sessions in which something waits. */
export interface Queues {
  /** Sends what can be sent in a session now, and the rest after each answer. */
  moveOn(key: SessionKey): Promise<void>;
  /** Does so for every session, and deletes what was removed. Nothing is lost with a process: another one finds it here. */
  sweep(): Promise<void>;
  stop(): void;
}

/** Calls `onEnd` when an answer of a followed session has ended, or may have. */
function createFollower(ctx: DepsWithRunner, onEnd: (key: SessionKey) => void) {
  const followed = new Map<string, { sessions: Set<string>; leave: () => void }>();
  return {
    follow({ userId, sessionId }: SessionKey): void {
      const follower = followed.get(userId);
      if (follower !== undefined) return void follower.sessions.add(sessionId);
      const sessions = new Set([sessionId]);
      const leave = ctx.live.subscribe(userId, ({ event, data }) => {
        if (event === 'done' && sessions.has(data.sessionId)) onEnd({ userId, sessionId: data.sessionId });
        // Ends may have been missed.
        if (event === 'hello') for (const id of sessions) onEnd({ userId, sessionId: id });
      });
      followed.set(userId, { sessions, leave });
    },
    unfollow({ userId, sessionId }: SessionKey): void {
      const follower = followed.get(userId);
      if (follower === undefined || !follower.sessions.delete(sessionId) || follower.sessions.size > 0) return;
      follower.leave();
      followed.delete(userId);
    },
    stop(): void {
      for (const { leave } of followed.values()) leave();
      followed.clear();
    },
  };
}

/** Opens this process's queues, with the sweep that also finds those of a process that died. */
export function openQueues(ctx: DepsWithRunner): Queues {
  const queues = createQueues(ctx);
  ctx.jobs.handle('queue.sweep', () => queues.sweep(), { cron: '*/5 * * * *' });
  ctx.jobs.handle<{ userId: string }>(RESET_QUEUE, ({ userId }) =>
    ctx.db.transaction(async (tx) => {
      await pauseAll(tx, userId, QUEUE_SENTENCES.reset);
      await requestCancelOfUser(ctx, tx, userId);
    }),
  );
  return queues;
}

function createQueues(ctx: DepsWithRunner): Queues {
  const line = createTurns(Number.POSITIVE_INFINITY);
  const { follow, unfollow, stop } = createFollower(ctx, (key) => void moveOn(key));
  const timers = new Map<string, NodeJS.Timeout>();
  const stopped = new AbortController();

  function later(key: SessionKey, seconds: number): void {
    if (stopped.signal.aborted) return;
    clearTimeout(timers.get(key.sessionId));
    const timer = setTimeout(() => {
      timers.delete(key.sessionId);
      void moveOn(key);
    }, seconds * 1_000);
    timers.set(key.sessionId, timer.unref());
  }

  async function look(key: SessionKey): Promise<void> {
    // Messages still queued when the server stops are sent after the next start.
    if (stopped.signal.aborted || ctx.runner.isDraining()) return;
    // First, so that no end is missed.
    follow(key);
    const outlook = await sendNext(ctx, key);
    if (outlook === 'nothing') unfollow(key);
    else if (outlook !== 'answer') later(key, outlook.seconds);
  }

  async function moveOn(key: SessionKey): Promise<void> {
    try {
      await line.take(key.sessionId, stopped.signal, () => look(key));
    } catch (error) {
      if (stopped.signal.aborted) return;
      ctx.log.error('queue.send', error, { session: key.sessionId });
      later(key, AGAIN_SECONDS);
    }
  }

  return {
    moveOn,
    async sweep() {
      await purgeRemoved(ctx);
      for (const key of await findWaitingSessions(ctx.db)) await moveOn(key);
    },
    stop() {
      stopped.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      stop();
    },
  };
}

/** What a queue waits for now: nothing, the end of an answer, or some seconds. */
type Outlook = 'nothing' | 'answer' | { seconds: number };

const AT_ONCE = { seconds: 0 };

type Next = NonNullable<Awaited<ReturnType<typeof findNext>>>;

/**
 * Sends a session's next message if no answer is running, in the way of every message; pauses the queue when the latest answer ended
 * badly while it waited, or when the message is refused. Looks at what is stored only, so it may be called at any time, by any process,
 * and again after a crash: a message's id is the key of its task, which therefore exists once.
 */
async function sendNext(ctx: DepsWithRunner, key: SessionKey): Promise<Outlook> {
  const next = await findNext(ctx.db, key);
  if (next === undefined || next.row.reason !== null) return 'nothing';
  if (next.row.sendingAt === null) {
    const latest = await findLatest(ctx.db, key);
    if (latest !== undefined && isInFlight(latest.status)) return 'answer';
    const ended = latest?.finishedAt ?? null;
    const reason = reasonOf(latest?.status);
    if (reason !== null && ended !== null && ended > next.row.waitingSince) return stopSending(ctx, key, reason, ended);
    // It changed in between: read it again.
    if (!(await claim(ctx.db, next.row))) return AT_ONCE;
  }
  return send(ctx, key, next);
}

/** Why messages wait for the person after an answer that ended like this; null after a good one. */
function reasonOf(status: TaskRow['status'] | undefined): string | null {
  if (status === 'cancelled') return QUEUE_SENTENCES.stopped;
  if (status === 'failed' || status === 'interrupted') return QUEUE_SENTENCES[status];
  return null;
}

async function send(ctx: DepsWithRunner, key: SessionKey, { row, agent, name, email, plan }: Next): Promise<Outlook> {
  const caller = { uid: row.userId, displayName: name, email, plan };
  const { sessionId, inputText, id } = row;
  const attachmentIds = row.attachments.map((one) => one.id);
  if (attachmentIds.length > 0 && plan !== 'pro') {
    return stopSending(ctx, key, proRequired('An attachment').message, null);
  }
  let task: Task;
  try {
    task = await startTask(ctx, caller, { sessionId, agentId: agent, inputText, attachmentIds, idempotencyKey: id });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return putBack(ctx, key, row, error);
  }
  await ctx.db.transaction(async (tx) => {
    await tx.delete(queuedMessages).where(isRow(row));
    await notifyQueue(ctx, tx, key);
  });
  // Its answer may have ended already, if this process only finishes what another one began.
  return isInFlight(task.status) ? 'answer' : AT_ONCE;
}

const isRow = ({ userId, id }: { userId: string; id: string }) =>
  and(eq(queuedMessages.userId, userId), eq(queuedMessages.id, id));

/** A month's budget may be used up on its first day, and given more on the second. */
const LONGEST_WAIT = 3_600;

/** After a refusal: what passes by itself is waited for, everything else waits for the person. */
async function putBack(ctx: DepsWithRunner, key: SessionKey, row: Next['row'], error: AppError): Promise<Outlook> {
  const passes = error.code === 'too_many_requests' || error.code === 'unavailable';
  if (!passes && error.message !== STILL_RUNNING) return stopSending(ctx, key, error.message, null);
  await ctx.db.transaction(async (tx) => {
    await tx.update(queuedMessages).set({ sendingAt: null }).where(isRow(row));
    await notifyQueue(ctx, tx, key);
  });
  return passes ? { seconds: Math.min(error.retryAfterSeconds ?? 5, LONGEST_WAIT) } : 'answer';
}

async function stopSending(ctx: DepsWithRunner, key: SessionKey, reason: string, at: Date | null): Promise<Outlook> {
  await ctx.db.transaction(async (tx) => {
    await pause(tx, key, reason, at);
    await notifyQueue(ctx, tx, key);
  });
  return 'nothing';
}
