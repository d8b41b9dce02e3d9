import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { askInBackground } from '../../budgets/background.service.ts';
import type { SessionKey } from '../../sessions/sessions.service.ts';
import { taskPlaces } from '../places.table.ts';
import { summaries } from '../summary.table.ts';
import { fitHistory, windowOf } from './budget.ts';
import { findExchangesAfter, findSummary } from './context.queries.ts';
import { notifyTasks } from './notices.service.ts';

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
export async function summariseSession(ctx: Deps, job: SessionKey): Promise<void> {
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
