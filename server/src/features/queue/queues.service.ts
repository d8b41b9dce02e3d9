import { QUEUE_SENTENCES } from '@atelier/contract/runs/queue';
import { createTurns } from '../../platform/turns.ts';
import { RESET_QUEUE } from '../accounts/accounts.passwords.service.ts';
import { requestCancelOfUser } from '../runs/runs.cancel.service.ts';
import type { RunsContext } from '../runs/runs.start.service.ts';
import type { SessionKey } from '../sessions/sessions.service.ts';
import { findWaitingSessions, pauseAll } from './queue.queries.ts';
import { purgeRemoved } from './queue.service.ts';
import { sendNext } from './send-next.service.ts';

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
function createFollower(ctx: RunsContext, onEnd: (key: SessionKey) => void) {
  const followed = new Map<string, { sessions: Set<string>; leave: () => void }>();
  return {
    follow({ userId, sessionId }: SessionKey): void {
      const known = followed.get(userId);
      if (known !== undefined) return void known.sessions.add(sessionId);
      const sessions = new Set([sessionId]);
      const leave = ctx.live.subscribe(userId, ({ event, data }) => {
        if (event === 'done' && sessions.has(data.sessionId)) onEnd({ userId, sessionId: data.sessionId });
        // Ends may have been missed.
        if (event === 'hello') for (const id of sessions) onEnd({ userId, sessionId: id });
      });
      followed.set(userId, { sessions, leave });
    },
    unfollow({ userId, sessionId }: SessionKey): void {
      const known = followed.get(userId);
      if (known === undefined || !known.sessions.delete(sessionId) || known.sessions.size > 0) return;
      known.leave();
      followed.delete(userId);
    },
    stop(): void {
      for (const { leave } of followed.values()) leave();
      followed.clear();
    },
  };
}

/** Opens this process's queues, with the sweep that also finds those of a process that died. */
export function openQueues(ctx: RunsContext): Queues {
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

function createQueues(ctx: RunsContext): Queues {
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
