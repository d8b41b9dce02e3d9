import type { Deps } from '../../platform/deps.ts';
import type { LiveMessage } from '../../platform/live.ts';
import { type Run, RunStopped } from './runs.events.ts';
import { executeRun } from './runs.execute.service.ts';
import { interruptRuns, renewLeases } from './runs.lease.service.ts';
import { createEventLog, type EventLog, RUN_CHANNEL, runNotice } from './runs.log.ts';
import { emitDone, emitEvent } from './runs.notices.service.ts';
import { findEvents, findTask } from './runs.queries.ts';

/** The runs of this process. */
export interface Runner {
  log: EventLog;
  /** Starts a run that outlives the request; its end, whatever it is, is written to the task. */
  start(run: Run): void;
  /** Aborts what runs here, writes it down as interrupted and stops the timers. */
  stop(): Promise<void>;
}

const runners = new Map<string, Runner>();

/** The runner of these dependencies, started once by the app. */
export function runnerOf(ctx: Deps): Runner {
  const runner = runners.get(ctx.processId);
  if (runner === undefined) throw new Error('the runner was not started');
  return runner;
}

/**
 * Starts running: takes up notices of other processes, renews leases, and writes down as interrupted what a dead process left.
 * On the embedded database every run in flight at the start is such, for the folder's lock proves that its owner is gone.
 */
export async function startRunner(ctx: Deps): Promise<Runner> {
  const running = new Map<string, { run: Run; ended: Promise<void> }>();
  const stopRun = (taskId: string, reason: 'cancelled' | 'shutdown' | 'lost') =>
    running.get(taskId)?.run.controller.abort(new RunStopped(reason));

  const log = createEventLog({
    database: ctx.database,
    processId: ctx.processId,
    log: ctx.log,
    onStored: (run, seq, event) => emitEvent(ctx, run, seq, event),
    onLost: (run) => stopRun(run.taskId, 'lost'),
  });

  const runner: Runner = {
    log,
    start(run) {
      const ended = executeRun(ctx, log, run)
        .catch((error: unknown) => ctx.log.error('runs.crashed', error, { task: run.taskId }))
        .finally(() => running.delete(run.taskId));
      running.set(run.taskId, { run, ended });
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await stopListening();
      for (const taskId of running.keys()) stopRun(taskId, 'shutdown');
      await Promise.all([...running.values()].map((entry) => entry.ended));
      runners.delete(ctx.processId);
    },
  };

  await interruptRuns(ctx, ctx.database.kind === 'pglite' ? 'all' : 'expired');
  const stopListening = await followOtherProcesses(ctx, (taskId) => stopRun(taskId, 'cancelled'));
  const timers = [
    every(ctx, ctx.config.LEASE_MS / 3, async () => {
      const { held, cancelled } = await renewLeases(ctx);
      for (const taskId of running.keys()) if (!held.has(taskId)) await settle(taskId);
      for (const taskId of cancelled) stopRun(taskId, 'cancelled');
    }),
    every(ctx, ctx.config.LEASE_MS / 15, () => interruptRuns(ctx, 'expired')),
  ];

  // A run that just ended is not held either: only one that still goes on afterwards has lost its lease.
  async function settle(taskId: string) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (running.has(taskId) && !(await renewLeases(ctx)).held.has(taskId)) stopRun(taskId, 'lost');
  }

  runners.set(ctx.processId, runner);
  return runner;
}

function every(ctx: Deps, ms: number, work: () => Promise<void>) {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    await work().catch((error: unknown) => ctx.log.error('runs.timer', error));
    busy = false;
  }, ms);
  timer.unref();
  return timer;
}

/** Hands on what other processes stored to the followers who are connected here. Notices only say “look”. */
async function followOtherProcesses(ctx: Deps, cancel: (taskId: string) => void) {
  const seen = new Map<string, number>();
  const queue = new Map<string, Promise<void>>();

  async function look(uid: string, taskId: string) {
    const task = await findTask(ctx.db, uid, taskId);
    if (task === undefined) return;
    for (const event of await findEvents(ctx.db, uid, taskId, seen.get(taskId) ?? 0)) {
      seen.set(taskId, event.seq);
      const data = { taskId, sessionId: task.sessionId, seq: event.seq, ...event.data };
      ctx.live.emit(uid, { event: event.type, data } as LiveMessage);
    }
  }

  return ctx.database.listen(RUN_CHANNEL, (payload) => {
    const notice = runNotice.parse(JSON.parse(payload));
    for (const taskId of notice.c ?? []) cancel(taskId);
    if (notice.p === ctx.processId) return;
    for (const [uid, taskId] of [...(notice.e ?? []), ...(notice.d ?? [])]) {
      if (!ctx.live.hasListeners(uid)) continue;
      const ended = notice.d !== undefined;
      // One look at a time for each task, or its events would be handed on out of order.
      const next = (queue.get(taskId) ?? Promise.resolve())
        .then(() => look(uid, taskId))
        .then(async () => {
          if (!ended) return;
          seen.delete(taskId);
          queue.delete(taskId);
          const task = await findTask(ctx.db, uid, taskId);
          if (task !== undefined) emitDone(ctx, uid, task);
        })
        .catch((error: unknown) => ctx.log.error('runs.follow', error, { task: taskId }));
      queue.set(taskId, next);
    }
  });
}
