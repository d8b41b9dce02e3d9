import { withoutServerQuotes } from '@atelier/contract/mcp/server-contents';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { hasRoom } from '../../budgets/budgets.service.ts';
import { metered } from '../../ledger/ledger.service.ts';
import { findSessions, type SessionKey, titleSession, untitleSession } from '../../sessions/sessions.service.ts';
import { findFirst } from '../places.queries.ts';
import { findTask } from '../runs.queries.ts';
import { TITLE_QUEUE } from './finish.service.ts';

const TITLE_TIMEOUT_MS = 30_000;
const TITLE_TOKENS = 2_000;

/** Lets the model name a session after the first answer of its path, if a budget has room; throws when it fails, so that the job is retried. */
export async function writeTitle(ctx: Deps, job: SessionKey & { taskId: string }): Promise<void> {
  const { userId, sessionId } = job;
  const task = await findTask(ctx.db, userId, job.taskId);
  // The person may have chosen another beginning meanwhile, whose own job names the session.
  if (task === undefined || (await findFirst(ctx.db, userId, sessionId, 'answered')) !== task.id) return;
  const model = ctx.models.resolve(task.model).id;
  if (!(await hasRoom(ctx, userId, model, TITLE_TOKENS))) return;
  const [session] = await findSessions(ctx.db, userId, [sessionId]);
  const { message: answer } = task;
  const call = { uid: userId, purpose: 'title', model, ...(session ? { agentId: session.agent.id } : {}) } as const;
  const question = withoutServerQuotes(task.inputText) || task.inputText;
  const title = await metered(ctx, call, (onTokens) =>
    ctx.models.title({ model, question, answer, signal: AbortSignal.timeout(TITLE_TIMEOUT_MS), onTokens }),
  );
  await titleSession(ctx, { userId, sessionId, title });
}

/** Names a session again, because its path begins with another exchange; a name that the person gave stays. */
export async function retitle(ctx: Deps, tx: Tx, { userId, sessionId }: SessionKey): Promise<void> {
  const taskId = await findFirst(tx, userId, sessionId, 'answered');
  if (taskId === undefined) await untitleSession(ctx, tx, { userId, sessionId });
  else await ctx.jobs.send(tx, TITLE_QUEUE, { userId, sessionId, taskId });
}
