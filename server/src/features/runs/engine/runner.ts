import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../../platform/deps.ts';
import type { LiveMessage } from '../../../platform/live.ts';
import { readNotice } from '../../../platform/live-channel.ts';
import { findEvents, findTask } from '../runs.queries.ts';
import { executeRun } from './execute.service.ts';
import { interruptRuns, LOOKS_A_LEASE, renewLeases, SIGNS_A_LEASE, watchSigns } from './lease.service.ts';
import { createEventLog, type EventLog } from './log.ts';
import { emitDone, emitEvent, RUN_CHANNEL, runNotice } from './notices.service.ts';
import { createReplay, type LiveProgress } from './replay.ts';
import { type Run, RunStopped, type StopReason } from './run.ts';

/** How long `stop` waits for the database to take the remaining writes. */
const CLOSING_MS = 2_000;

/** The runs of this process. */
export interface Runner {
  events: EventLog;
  /** Starts a run that outlives the request; stores how it ended, in every case. */
  start(run: Run): void;
  /** Whether this process is running the task. */
  runs(taskId: string): boolean;
  /** A user's task that runs here, or ended here a moment ago: its events, and how it ended. Undefined for any other. */
  progressOf(uid: string, taskId: string): LiveProgress | undefined;
  /** True once the process is about to end: no run may begin. */
  isDraining(): boolean;
  /** Lets current runs finish, for at most `ms` milliseconds, and starts no more. */
  drain(ms: number): Promise<void>;
  /** Aborts the current runs, stores them as interrupted, and stops the timers. */
  stop(): Promise<void>;
}

/**
 * Starts the runner: listens to other processes, renews leases, and interrupts the tasks of dead processes. On the embedded database every
 * task in flight at start belongs to a dead one, because the folder's lock proves it.
 */
export async function startRunner(ctx: Deps): Promise<Runner> {
  const running: Running = new Map();
  const stopRun: StopRun = (taskId, reason) => running.get(taskId)?.run.controller.abort(new RunStopped(reason));
  const closing = new AbortController();
  let draining = false;

  const events = createEventLog({
    database: ctx.database,
    processId: ctx.processId,
    log: ctx.log,
    closing: closing.signal,
    onNumbered: (row) => emitEvent(ctx, row),
    onLost: (run) => stopRun(run.taskId, 'lost'),
  });

  const replay = createReplay(ctx.live, events);

  const runner: Runner = {
    events,
    start(run) {
      const { taskId } = run;
      events.begin(run);
      replay.add(run);
      const ended = executeRun(ctx, events, run, closing.signal)
        .then((task) => replay.end(taskId, task))
        .catch((error: unknown) => ctx.log.error('runs.crashed', error, { task: taskId }))
        .finally(() => running.delete(taskId));
      running.set(taskId, { run, ended });
    },
    runs: (taskId) => running.has(taskId),
    progressOf: replay.progressOf,
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

/** Resolves when no run is left, including one accepted at the last moment, or after `ms`. */
async function waitForEnds(running: Running, ms: number): Promise<void> {
  const done = new AbortController();
  const timeIsUp = pause(ms, true, { signal: done.signal }).catch(() => true);
  for (let late = false; running.size > 0 && !late; ) {
    late = await Promise.race([endsOf(running).then(() => false), timeIsUp]);
  }
  done.abort();
}

/** Renews the leases of current runs, stops those lost or cancelled elsewhere, and ends tasks that nobody runs. */
function keepLeases(ctx: Deps, running: Running, stopRun: StopRun): NodeJS.Timeout[] {
  // A run that just ended is not held either, so check again: only one that is still running has lost its lease.
  async function stopIfLost(taskId: string) {
    await pause(200);
    if (running.has(taskId) && !(await renewLeases(ctx, [taskId])).ours.has(taskId)) stopRun(taskId, 'lost');
  }
  async function renew() {
    const ids = [...running.keys()];
    const { ours, cancelled } = await renewLeases(ctx, ids);
    for (const taskId of cancelled) stopRun(taskId, 'cancelled');
    for (const taskId of ids) if (!ours.has(taskId)) await stopIfLost(taskId);
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

/** Passes other processes' stored events to followers connected here. Notices only say “look”. */
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
      // One look at a time per task, or events would arrive out of order.
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
