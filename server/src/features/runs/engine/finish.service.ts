import { withoutServerQuotes } from '@atelier/contract/mcp/server-contents';
import type { EndStatus, Task, TokenUsage } from '@atelier/contract/runs';
import { and, eq } from 'drizzle-orm';
import type { Db } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { NewJob } from '../../../platform/jobs/jobs.ts';
import { type ModelInfo, publicModelName } from '../../../platform/models/models.ts';
import type { TokenCount } from '../../../platform/models/tokens.ts';
import { retryUntil } from '../../../platform/retry.ts';
import { type LedgerEntry, recordTokens, toEntry } from '../../ledger/ledger.service.ts';
import { distilJobs } from '../../memory/distil-jobs.service.ts';
import { embedJobs } from '../../memory/embed.service.ts';
import { noteRemembered, toMemories } from '../../memory/memory.service.ts';
import { endTask } from '../run-statements.queries.ts';
import { toTask } from '../runs.events.ts';
import { tasks } from '../runs.table.ts';
import { SUMMARY_QUEUE, TITLE_QUEUE } from './after-answer.service.ts';
import { interruptOwn } from './lease.service.ts';
import { emitDone, type RunNotice } from './notices.service.ts';
import type { LoggedRow, Run } from './run.ts';

export interface RunOutcome {
  status: EndStatus;
  message: string;
  usage: TokenUsage | null;
  /** What the model thought before it answered. */
  thoughts: string;
  /** Why the answer ended before its time. */
  cut?: Task['cut'];
  error?: string;
  /** The session has grown long, and its beginning needs a summary. */
  isLong?: boolean;
  /** The session's first answer, after which it is named. */
  isFirst?: boolean;
}

interface Ending extends RunOutcome {
  /** Its last events, which are not in the log yet. */
  rows: LoggedRow[];
  /** The number of its last event. */
  lastSeq: number;
  /** Whether other people's words were in its prompt. */
  readUntrusted: boolean;
  /** The model that was asked. */
  model: string;
  /** What it took, for the ledger: also of an answer that was stopped. */
  tokens: LedgerEntry[];
}

/** What an answer took as a line of the ledger. */
export const answerEntry = ({ models }: Deps, run: Run, { id: model }: ModelInfo, tokens: TokenCount): LedgerEntry =>
  toEntry(models, { purpose: 'answer', model, agentId: run.agent.id }, tokens);

/** After this many failures of a database that is there, the answer itself may be the cause. */
const WHOLE_ATTEMPTS = 5;

/** Finished answers count, and so do answers stopped after their first word. */
const counts = (outcome: RunOutcome) =>
  outcome.status === 'done' || (outcome.status === 'cancelled' && outcome.message !== '');

/**
 * Stores the end of a run: the answer, the usage, the memories, the notices. Only what it took is recorded when the lease was lost. Retries while the
 * database is away, until `closing`; when only this write fails, it interrupts the task. Afterwards this process's followers get the whole
 * task, which is returned.
 */
export async function finishRun(ctx: Deps, run: Run, ending: Ending, closing: AbortSignal): Promise<Task | undefined> {
  const failed = (error: unknown, attempt: number) =>
    ctx.log.error('runs.finish', error, { task: run.taskId, attempt });
  // A tool server's words are nothing that the person said.
  const own = withoutServerQuotes(run.inputText);
  const memories =
    ending.status === 'done' ? [...toMemories('person', own), ...toMemories('agent', ending.message)] : [];
  let failures = 0;
  const ended = await retryUntil(
    closing,
    async (attempt) => {
      // While the database is away, its failures say nothing of the answer.
      if (attempt > 1) await ctx.database.ping();
      try {
        const stored = await storeEnd(ctx, run, ending, memories);
        return stored ?? (attempt === 1 ? undefined : await findStored(ctx, run, ending));
      } catch (error) {
        failures += 1;
        if (failures < WHOLE_ATTEMPTS) throw error;
        await interruptOwn(ctx, run.taskId);
        failed(error, attempt);
        return undefined;
      }
    },
    failed,
  );
  if (ended === undefined) {
    await recordTokens(ctx, run.uid, ending.tokens);
    return undefined;
  }
  countRun(ctx, ending);
  const task = toTask(ended.task, run.place);
  emitDone(ctx, run.uid, task);
  if (ended.version !== null) noteRemembered(ctx, run, { ...ended, version: ended.version }, memories);
  return task;
}

/** The end as an earlier attempt has stored it, whose reply was lost; undefined where another process ended the task. */
async function findStored({ db }: Deps, { uid, taskId, attempt }: Run, { status, lastSeq }: Ending) {
  const isRun = and(eq(tasks.userId, uid), eq(tasks.id, taskId), eq(tasks.attempt, attempt));
  const isEnd = and(eq(tasks.status, status), eq(tasks.lastSeq, lastSeq + 1));
  const [task] = await db.select().from(tasks).where(and(isRun, isEnd));
  // The index reads the memories with the next change.
  return task && { task, version: null };
}

function countRun({ metrics, models }: Deps, { status, usage, model: requestedModel }: Ending): void {
  const model = publicModelName(models, requestedModel);
  metrics.count('runs_total', 'Runs that ended in this process, by state and model.', { state: status, model });
  if (usage === null) return;
  for (const [kind, count] of [
    ['input', usage.inputTokens],
    ['output', usage.outputTokens],
  ] as const) {
    metrics.count('run_tokens_total', 'Tokens of these runs, by kind and model.', { kind, model }, count);
  }
}

/** One statement; one transaction when jobs go along. */
async function storeEnd(ctx: Deps, run: Run, ending: Ending, memories: ReturnType<typeof toMemories>) {
  const notice: RunNotice = { p: ctx.processId, d: [[run.uid, run.taskId]] };
  const { status, message, model, cut = null, thoughts, usage, tokens, readUntrusted, error = null } = ending;
  const end = { status, message, model, cut, thoughts, usage, tokens, readUntrusted, error };
  const write = (db: Db, inTransaction: boolean) =>
    endTask(db, inTransaction, {
      ...end,
      uid: run.uid,
      taskId: run.taskId,
      processId: ctx.processId,
      attempt: run.attempt,
      lastSeq: ending.lastSeq + 1,
      events: ending.rows.map(({ seq, event: { type, ...data } }) => ({ seq, type, data })),
      counts: counts(ending),
      memories,
      notice: JSON.stringify(notice),
    });
  const jobs = jobsAfter(ctx, run, ending, memories.length > 0);
  if (jobs.length === 0) return write(ctx.db, false);
  return ctx.db.transaction(async (tx) => {
    const ended = await write(tx, true);
    if (ended !== undefined) await ctx.jobs.sendAll(tx, jobs);
    return ended;
  });
}

/** What is done after the answer, when nobody waits any more. */
function jobsAfter(ctx: Deps, run: Run, { isFirst, isLong }: Ending, hasMemories: boolean): NewJob[] {
  const { uid: userId, sessionId, taskId, agent } = run;
  return [
    ...(hasMemories ? embedJobs(ctx, { userId, agentId: agent.id }) : []),
    ...(hasMemories ? distilJobs(ctx, { userId, taskId, text: withoutServerQuotes(run.inputText) }) : []),
    ...(isFirst ? [{ queue: TITLE_QUEUE, data: { userId, sessionId, taskId } }] : []),
    ...(isLong ? [{ queue: SUMMARY_QUEUE, data: { userId, sessionId }, singletonKey: sessionId }] : []),
  ];
}
