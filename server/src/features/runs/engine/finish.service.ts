import type { Task, TokenUsage } from '@atelier/contract/runs';
import { sql } from 'drizzle-orm';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { retryUntil } from '../../../platform/retry.ts';
import { changeUsage, lockUsage } from '../../accounts/usage.service.ts';
import { embedLater } from '../../memory/embed.service.ts';
import { remember } from '../../memory/memory.service.ts';
import { findTask, isFirstExchange } from '../runs.queries.ts';
import { type TaskRow, tasks } from '../runs.table.ts';
import { remembersNow } from './context.queries.ts';
import { heldTask, interruptOwn } from './lease.service.ts';
import { emitDone, notifyRuns, notifyTasks } from './notices.service.ts';
import type { Run } from './run.ts';
import { SUMMARY_QUEUE } from './summary.service.ts';

export interface Outcome {
  status: 'done' | 'failed' | 'cancelled' | 'interrupted';
  message: string;
  usage: TokenUsage | null;
  error?: string;
  /** The session has grown long, and its beginning needs a summary. */
  isLong?: boolean;
}

/** How a run ended, and what it produced. */
export interface Ending extends Outcome {
  /** The number of its last event in the log. */
  lastSeq: number;
  /** Whether other people's words were in its prompt. */
  readUntrusted: boolean;
}

/** The queue that names a session after its first exchange. */
export const TITLE_QUEUE = 'runs.title';
/** After this many failures the answer itself may be the cause, not the database. */
const WHOLE_ATTEMPTS = 5;

/** Finished answers count, and so do answers stopped after their first word. */
const counts = (outcome: Outcome) =>
  outcome.status === 'done' || (outcome.status === 'cancelled' && outcome.message !== '');

/**
 * Stores the end of a run in one transaction: the answer, the usage, the memories, the notices. Does nothing when the lease was lost.
 * Retries while the database is away, until `closing`; when only this write fails, it interrupts the task. Afterwards this process's
 * followers get the whole task.
 */
export async function finishRun(ctx: Deps, run: Run, ending: Ending, closing: AbortSignal): Promise<void> {
  const failed = (error: unknown, attempt: number) =>
    ctx.log.error('runs.finish', error, { task: run.taskId, attempt });
  const written = await retryUntil(
    closing,
    async (attempt) => {
      try {
        return await writeEnd(ctx, run, ending);
      } catch (error) {
        if (attempt < WHOLE_ATTEMPTS) throw error;
        await interruptOwn(ctx, run.taskId);
        failed(error, attempt);
        return false;
      }
    },
    failed,
  );
  if (!written) return;
  const task: Task | undefined = await findTask(ctx.db, run.uid, run.taskId);
  if (task !== undefined) emitDone(ctx, run.uid, task);
}

async function writeEnd(ctx: Deps, run: Run, ending: Ending): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    // Usage first, then the task: every transaction locks them in this order.
    await lockUsage(tx, run.uid);
    const [row] = await tx
      .update(tasks)
      .set({
        status: ending.status,
        message: ending.message,
        tokenUsage: ending.usage,
        readUntrusted: ending.readUntrusted,
        error: ending.error ?? null,
        lastSeq: ending.lastSeq + 1,
        // Never before it began, even if the clock was set back.
        finishedAt: sql`greatest(now(), ${tasks.createdAt})`,
        leaseOwner: null,
        leaseUntil: null,
      })
      .where(heldTask(ctx, run))
      .returning();
    if (row === undefined) return false;
    if (counts(ending)) await changeUsage(tx, run.uid, { messages: 1, tasks: 1 });
    if (ending.status === 'done') await keepExchange(ctx, tx, run, row);
    if (ending.isLong) await ctx.jobs.send(tx, SUMMARY_QUEUE, { userId: run.uid, sessionId: run.sessionId });
    await notifyTasks(ctx, tx, run.uid, run.sessionId);
    await notifyRuns(ctx, tx, { d: [[run.uid, run.taskId]] });
    return true;
  });
}

/** Remembers a finished exchange, and names the session after its first one. */
async function keepExchange(ctx: Deps, tx: Tx, run: Run, row: TaskRow): Promise<void> {
  if (await remembersNow(tx, run.uid, run.agent.id)) {
    const common = { userId: run.uid, agentId: run.agent.id, sessionId: run.sessionId, taskId: run.taskId };
    await remember(ctx, tx, [
      { ...common, kind: 'person', text: row.inputText, timestamp: row.createdAt },
      { ...common, kind: 'agent', text: row.message, timestamp: row.finishedAt ?? row.createdAt },
    ]);
    await embedLater(ctx, tx, common);
  }
  if (await isFirstExchange(tx, run.uid, run.sessionId)) {
    await ctx.jobs.send(tx, TITLE_QUEUE, { userId: run.uid, sessionId: run.sessionId, taskId: run.taskId });
  }
}
