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
  /** The session has grown long, and its beginning is to be summarised. */
  isLong?: boolean;
}

/** How a run ended, and what it left. */
export interface Ending extends Outcome {
  /** The number of its last event in the log. */
  lastSeq: number;
  /** Whether words of others stood in its prompt. */
  readUntrusted: boolean;
}

/** The queue whose jobs name a session after its first exchange. */
export const TITLE_QUEUE = 'runs.title';
/** After so many failures it is perhaps not the database that fails, but something that belongs to the answer. */
const WHOLE_ATTEMPTS = 5;

/** A finished answer counts, and so does one that was stopped after its first word. */
const counts = (outcome: Outcome) =>
  outcome.status === 'done' || (outcome.status === 'cancelled' && outcome.message !== '');

/**
 * Writes the end of a run in one transaction: the answer, the usage, the memories, the notices. Does nothing where the lease
 * was lost meanwhile. Repeats it while the database is away, until `closing`; where only this end can't be written, the task is
 * interrupted. Afterwards the followers of this process have the whole task.
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
    // Usage first, then the task: the order in which every transaction locks them.
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
        // Not before it began, whatever the clock did meanwhile.
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

/** Remembers a finished exchange, and has the session named after its first one. */
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
