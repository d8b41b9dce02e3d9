import type { Deps } from '../../../platform/deps.ts';
import { titleSession } from '../../sessions/sessions.service.ts';
import { findTask } from '../runs.queries.ts';

const TITLE_TIMEOUT_MS = 30_000;

/** Lets the model name a session after an exchange; throws when it fails, so that the job is retried. */
export async function writeTitle(ctx: Deps, job: { userId: string; sessionId: string; taskId: string }): Promise<void> {
  const task = await findTask(ctx.db, job.userId, job.taskId);
  if (task === undefined) return;
  const title = await ctx.models.title({
    model: task.model,
    question: task.inputText,
    answer: task.message,
    signal: AbortSignal.timeout(TITLE_TIMEOUT_MS),
  });
  await titleSession(ctx, { userId: job.userId, sessionId: job.sessionId, title });
}
