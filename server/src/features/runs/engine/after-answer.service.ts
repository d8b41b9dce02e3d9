import { withoutServerQuotes } from '@atelier/contract/mcp/server-contents';
import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { askInBackground } from '../../budgets/background.service.ts';
import { findSessions, type SessionKey, titleSession, untitleSession } from '../../sessions/sessions.service.ts';
import { findFirst } from '../places.queries.ts';
import { taskPlaces } from '../places.table.ts';
import { findTask, pruneEvents } from '../runs.queries.ts';
import { summaries } from '../runs.table.ts';
import { fitHistory, windowOf } from './budget.ts';
import { findExchangesAfter, findSummary } from './context.queries.ts';
import { notifyTasks } from './notices.service.ts';

/** The queue that names a session after its first exchange. */
export const TITLE_QUEUE = 'runs.title';
/** The queue that summarises the beginning of long sessions. */
export const SUMMARY_QUEUE = 'runs.summary';
const TIMEOUT_MS = 60_000;
const SUMMARY_TOKENS = 9_000;
const EXCHANGES = 200;
/** The share of the window that stays word for word, and how many exchanges at most: a run reads twice as many. */
const VERBATIM_SHARE = 0.25;
const VERBATIM_MAX = 30;

/**
 * Extends the summary with all exchanges older than the newest quarter of the model's window. Does nothing when there are none, or a budget
 * has no room; throws when the model fails, so that the job is retried.
 */
async function summariseSession(ctx: Deps, job: SessionKey): Promise<void> {
  const { userId, sessionId } = job;
  const before = await findSummary(ctx.db, userId, sessionId);
  const oldestFirst = await findExchangesAfter(ctx.db, userId, sessionId, before?.until, EXCHANGES);
  const model = ctx.models.resolve(oldestFirst.at(-1)?.model ?? '').id;
  const window = windowOf(ctx, model);
  const verbatim = fitHistory(oldestFirst.toReversed().slice(0, VERBATIM_MAX), window * VERBATIM_SHARE).exchanges
    .length;
  const exchanges = oldestFirst.slice(0, oldestFirst.length - verbatim);
  const last = exchanges.at(-1);
  if (last === undefined) return;
  const { agentId } = last;
  const most = { tokens: SUMMARY_TOKENS, timeoutMs: TIMEOUT_MS };
  const summary = await askInBackground(ctx, { uid: userId, purpose: 'summary', model, agentId, ...most }, (how) =>
    ctx.models.summarise({ model, previous: before?.text ?? '', exchanges, ...how }),
  );
  if (summary === null) return;
  const values = {
    ...summary,
    until: last.createdAt,
    exchanges: (before?.exchanges ?? 0) + exchanges.length,
    readUntrusted: before?.readUntrusted === true || exchanges.some(({ readUntrusted }) => readUntrusted),
  };
  await ctx.db.transaction(async (tx) => {
    if (!(await isStillTold(tx, job, last.id, before))) return;
    await tx
      .insert(summaries)
      .values({ userId, sessionId, ...values })
      // Of two jobs at once, keep the summary that covers more.
      .onConflictDoUpdate({
        target: [summaries.userId, summaries.sessionId],
        set: { ...values, updatedAt: sql`now()` },
        setWhere: sql`${summaries.until} < excluded.until`,
      });
    await notifyTasks(ctx, tx, userId, sessionId);
  });
}

/**
 * Whether the session's path still holds what was summarised, until the end of the transaction: the person may have left it meanwhile. Then
 * the next long answer has it summarised again.
 */
async function isStillTold(
  tx: Tx,
  { userId, sessionId }: SessionKey,
  lastId: string,
  before: typeof summaries.$inferSelect | undefined,
): Promise<boolean> {
  const [place] = await tx
    .select({ onPath: taskPlaces.onPath })
    .from(taskPlaces)
    .where(and(eq(taskPlaces.userId, userId), eq(taskPlaces.taskId, lastId)))
    .for('share');
  if (place?.onPath !== true) return false;
  if (before === undefined) return true;
  const now = await findSummary(tx, userId, sessionId);
  return now?.updatedAt.getTime() === before.updatedAt.getTime();
}

const TITLE_TIMEOUT_MS = 30_000;
/** The most that a title may take, also where each character is a token. */
const TITLE_TOKENS = 3_500;

/** Lets the model name a session after the first answer of its path, if a budget has room; throws when it fails, so that the job is retried. */
async function writeTitle(ctx: Deps, job: SessionKey & { taskId: string }): Promise<void> {
  const { userId, sessionId } = job;
  const task = await findTask(ctx.db, userId, job.taskId);
  // The person may have chosen another beginning meanwhile, whose own job names the session.
  if (task === undefined || (await findFirst(ctx.db, userId, sessionId, 'answered')) !== task.id) return;
  const model = ctx.models.resolve(task.model).id;
  const [session] = await findSessions(ctx.db, userId, [sessionId]);
  const { message: answer } = task;
  const most = { tokens: TITLE_TOKENS, timeoutMs: TITLE_TIMEOUT_MS };
  const agent = session ? { agentId: session.agent.id } : {};
  const question = withoutServerQuotes(task.inputText) || task.inputText;
  const title = await askInBackground(ctx, { uid: userId, purpose: 'title', model, ...agent, ...most }, (how) =>
    ctx.models.title({ model, question, answer, ...how }),
  );
  if (title === null) return;
  await titleSession(ctx, { userId, sessionId, title });
}

/** Names a session again, because its path begins with another exchange; a name that the person gave stays. */
export async function retitle(ctx: Deps, tx: Tx, { userId, sessionId }: SessionKey): Promise<void> {
  const taskId = await findFirst(tx, userId, sessionId, 'answered');
  if (taskId === undefined) await untitleSession(ctx, tx, { userId, sessionId });
  else await ctx.jobs.send(tx, TITLE_QUEUE, { userId, sessionId, taskId });
}

/** Nobody waits for a name or a summary: answers that were asked for at the same time go first. */
const PAUSE_MS = 250;

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerRunJobs(deps: Deps): void {
  deps.jobs.handle<SessionKey & { taskId: string }>(TITLE_QUEUE, (job) => writeTitle(deps, job), {
    pauseMs: PAUSE_MS,
  });
  deps.jobs.handle<SessionKey>(SUMMARY_QUEUE, (job) => summariseSession(deps, job), { pauseMs: PAUSE_MS });
  deps.jobs.handle('runs.prune', () => pruneEvents(deps.db), { cron: '*/5 * * * *' });
}
