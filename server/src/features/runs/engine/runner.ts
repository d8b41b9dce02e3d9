import { setTimeout as pause } from 'node:timers/promises';
import { readNotice } from '../../../platform/database/read-notice.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { LiveMessage } from '../../../platform/live.ts';
import { findEvents, findTask } from '../runs.queries.ts';
import { executeRun } from './execute.service.ts';
import { interruptRuns, LOOKS_A_LEASE, renewLeases, SIGNS_A_LEASE, watchSigns } from './lease.service.ts';
import { createEventLog, type EventLog, RUN_CHANNEL, runNotice } from './log.ts';
import { emitDone, emitEvent } from './notices.service.ts';
import { type Run, RunStopped, type StopReason } from './run.ts';

/** How long a stop waits for a database that does not take what is left to write. */
const CLOSING_MS = 2_000;

/** The runs of this process. */
export interface Runner {
  log: EventLog;
  /** Starts a run that outlives the request; its end, whatever it is, is written to the task. */
  start(run: Run): void;
  /** Whether the task's run is at work in this process. */
  runs(taskId: string): boolean;
  /** True once the process is about to end: no run is to begin. */
  isDraining(): boolean;
  /** Lets what runs here finish, for so many milliseconds at most, and begins nothing more. */
  drain(ms: number): Promise<void>;
  /** Aborts what runs here, writes it down as interrupted and stops the timers. */
  stop(): Promise<void>;
}

/**
 * Starts running: takes up notices of other processes, renews leases, and writes down as interrupted what a dead process left.
 * On the embedded database every run in flight at the start is such, for the folder's lock proves that its owner is gone.
 */
export async function startRunner(ctx: Deps): Promise<Runner> {
  const running: Running = new Map();
  const stopRun: StopRun = (taskId, reason) => running.get(taskId)?.run.controller.abort(new RunStopped(reason));
  const closing = new AbortController();
  let draining = false;

  const log = createEventLog({
    database: ctx.database,
    processId: ctx.processId,
    log: ctx.log,
    closing: closing.signal,
    onStored: (run, seq, event) => emitEvent(ctx, run, seq, event),
    onLost: (run) => stopRun(run.taskId, 'lost'),
  });

  const runner: Runner = {
    log,
    start(run) {
      const ended = executeRun(ctx, log, run, closing.signal)
        .catch((error: unknown) => ctx.log.error('runs.crashed', error, { task: run.taskId }))
        .finally(() => running.delete(run.taskId));
      running.set(run.taskId, { run, ended });
    },
    runs: (taskId) => running.has(taskId),
    isDraining: () => draining,
    async drain(ms) {
      draining = true;
      await waitForEnds(running, ms);
    },
    async stop() {
      draining = true;
      for (const timer of timers) clearInterval(timer);
      await stopListening();
      for (const taskId of running.keys()) stopRun(taskId, 'shutdown');
      const giveUp = setTimeout(() => closing.abort(), CLOSING_MS);
      await endsOf(running);
      clearTimeout(giveUp);
    },
  };

  if (ctx.database.kind === 'pglite') await interruptRuns(ctx, 'all');
  const stopListening = await followOtherProcesses(ctx, (taskId) => stopRun(taskId, 'cancelled'));
  const timers = keepLeases(ctx, running, stopRun);
  return runner;
}

type Running = Map<string, { run: Run; ended: Promise<void> }>;
type StopRun = (taskId: string, reason: StopReason) => void;

const endsOf = (running: Running) => Promise.all([...running.values()].map((entry) => entry.ended));

/** Resolves when nothing runs any more, a message accepted at the last moment included, or after `ms`. */
async function waitForEnds(running: Running, ms: number): Promise<void> {
  const done = new AbortController();
  const timeIsUp = pause(ms, true, { signal: done.signal }).catch(() => true);
  for (let late = false; running.size > 0 && !late; ) {
    late = await Promise.race([endsOf(running).then(() => false), timeIsUp]);
  }
  done.abort();
}

/** Gives signs of life for what runs here, stops what was lost or cancelled elsewhere, and ends what nobody runs. */
function keepLeases(ctx: Deps, running: Running, stopRun: StopRun): NodeJS.Timeout[] {
  // A run that just ended is not held either: only one that still goes on afterwards has lost its lease.
  async function stopIfLost(taskId: string) {
    await pause(200);
    if (running.has(taskId) && !(await renewLeases(ctx, [taskId])).held.has(taskId)) stopRun(taskId, 'lost');
  }
  async function renew() {
    const ids = [...running.keys()];
    const { held, cancelled } = await renewLeases(ctx, ids);
    for (const taskId of cancelled) stopRun(taskId, 'cancelled');
    for (const taskId of ids) if (!held.has(taskId)) await stopIfLost(taskId);
  }
  const findAbandoned = watchSigns(ctx, (taskId) => running.has(taskId));
  return [
    every(ctx, ctx.config.LEASE_MS / SIGNS_A_LEASE, renew),
    every(ctx, ctx.config.LEASE_MS / LOOKS_A_LEASE, async () => interruptRuns(ctx, await findAbandoned())),
  ];
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

  function forget(taskId: string) {
    seen.delete(taskId);
    queue.delete(taskId);
  }

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
    const notice = readNotice(runNotice, payload);
    if (notice === null) return;
    for (const taskId of notice.c ?? []) cancel(taskId);
    if (notice.p === ctx.processId) return;
    for (const [uid, taskId] of [...(notice.e ?? []), ...(notice.d ?? [])]) {
      const ended = notice.d !== undefined;
      if (!ctx.live.hasListeners(uid)) {
        if (ended) forget(taskId);
        continue;
      }
      // One look at a time for each task, or its events would be handed on out of order.
      const next = (queue.get(taskId) ?? Promise.resolve())
        .then(() => look(uid, taskId))
        .then(async () => {
          if (!ended) return;
          forget(taskId);
          const task = await findTask(ctx.db, uid, taskId);
          if (task !== undefined) emitDone(ctx, uid, task);
        })
        .catch((error: unknown) => ctx.log.error('runs.follow', error, { task: taskId }));
      queue.set(taskId, next);
    }
  });
}
