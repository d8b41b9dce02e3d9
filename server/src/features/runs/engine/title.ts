import { withoutServerQuotes } from '@atelier/contract/mcp/server-contents';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { askInBackground } from '../../budgets/background.service.ts';
import { findSessions, type SessionKey, titleSession, untitleSession } from '../../sessions/sessions.service.ts';
import { findFirst } from '../places.queries.ts';
import { findTask } from '../runs.queries.ts';
import { TITLE_QUEUE } from './finish.service.ts';

const TITLE_TIMEOUT_MS = 30_000;
/** The most that a title may take, also where each character is a token. */
const TITLE_TOKENS = 3_500;

/** Lets the model name a session after the first answer of its path, if a budget has room; throws when it fails, so that the job is retried. */
export async function writeTitle(ctx: Deps, job: SessionKey & { taskId: string }): Promise<void> {
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
