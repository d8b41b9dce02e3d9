import { sql } from 'drizzle-orm';
import type { Deps } from '../../../platform/deps.ts';
import { summaries } from '../summary.table.ts';
import { fitHistory } from './budget.ts';
import { findExchangesAfter, findSummary } from './context.queries.ts';
import { notifyTasks } from './notices.service.ts';

/** The queue whose jobs summarise the beginning of a long session. */
export const SUMMARY_QUEUE = 'runs.summary';
const TIMEOUT_MS = 60_000;
const EXCHANGES = 200;
/** So much of the window stays word for word. */
const VERBATIM_SHARE = 0.25;

/**
 * Summarises what lies further back than the newest quarter of a model's window, on top of the summary that there is. Does nothing
 * where nothing lies there; throws when the model can't, so that the job is tried again.
 */
export async function summariseSession(ctx: Deps, job: { userId: string; sessionId: string }): Promise<void> {
  const { userId, sessionId } = job;
  const before = await findSummary(ctx.db, userId, sessionId);
  const told = await findExchangesAfter(ctx.db, userId, sessionId, before?.until, EXCHANGES);
  const verbatim = fitHistory(told.toReversed(), ctx.config.MODEL_CONTEXT_TOKENS * VERBATIM_SHARE).kept.length;
  const exchanges = told.slice(0, told.length - verbatim);
  const last = exchanges.at(-1);
  if (last === undefined) return;
  const { text, kind } = await ctx.models.summarise({
    model: last.model,
    previous: before?.text ?? '',
    exchanges,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const values = { text, kind, until: last.createdAt, exchanges: (before?.exchanges ?? 0) + exchanges.length };
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(summaries)
      .values({ userId, sessionId, ...values })
      // Two jobs at once: the one that reaches further stays.
      .onConflictDoUpdate({
        target: [summaries.userId, summaries.sessionId],
        set: { ...values, updatedAt: sql`now()` },
        setWhere: sql`${summaries.until} < excluded.until`,
      });
    await notifyTasks(ctx, tx, userId, sessionId);
  });
}
