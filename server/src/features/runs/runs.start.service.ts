import { createHash } from 'node:crypto';
import { SENTENCES } from '@atelier/contract/errors';
import type { Task } from '@atelier/contract/runs';
import { and, eq } from 'drizzle-orm';
import { type Caller, limitsOf, RUNS_AT_ONCE, tooMany } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { getSession, type SessionWithAgent } from '../sessions/sessions.service.ts';
import { notifyTasks } from './engine/notices.service.ts';
import type { Runner } from './engine/runner.ts';
import { toTask } from './runs.events.ts';
import { insertTask, type Start } from './runs.insert.service.ts';
import { countInFlight, findByKey, findTask } from './runs.queries.ts';
import { type TaskRow, tasks } from './runs.table.ts';

export const AGENT_DELETED =
  'The agent of this session was deleted. You can still read the session, but not continue it.';
export const STOPPING = 'The server is restarting. Please try again in a moment.';
/** What runs need beside the usual dependencies. */
export type RunsContext = Deps & { runner: Runner };

/**
 * Accepts a message and starts its run, which outlives the request. Limits count runs in flight, so parallel messages can't overspend
 * (402). The same key with the same body returns the same task, with another body 409. A session runs one task at a time (409). A stopping
 * server starts nothing (503).
 */
export async function startTask(ctx: RunsContext, caller: Caller, input: Start): Promise<Task> {
  const { runner } = ctx;
  if (runner.isDraining()) throw new AppError('unavailable', STOPPING, { retryAfterSeconds: 5 });
  const bodyHash = hashBody(input);
  const started = await ctx.db.transaction(async (tx) => {
    // Lock first: from here on nobody else can start or end a run of this account.
    const usage = await lockUsage(tx, caller.uid);
    const earlier = await findEarlier(tx, caller.uid, input, bodyHash);
    if (earlier !== undefined) return { row: earlier, agent: null, plan: usage.plan };
    const session = await getSession(tx, caller.uid, input.sessionId);
    const agent = agentOf(session, input.agentId);
    const inFlight = await countInFlight(tx, caller.uid);
    if (inFlight >= RUNS_AT_ONCE * ctx.config.ACCOUNT_BOUNDS)
      throw tooMany(5, 'Too many answers are being written at once.');
    const limits = limitsOf(usage.plan);
    if (limits.messages !== null && usage.messageCount + inFlight >= limits.messages) {
      throw new AppError('limit_reached', SENTENCES.messageLimit);
    }
    if (limits.tasks !== null && usage.taskCount + inFlight >= limits.tasks) {
      throw new AppError('limit_reached', SENTENCES.taskLimit);
    }
    const row = await insertTask(ctx, tx, session, agent, { ...input, bodyHash });
    await notifyTasks(ctx, tx, caller.uid, session.id);
    return { row, agent, plan: usage.plan };
  });
  const { row, agent, plan } = started;
  if (agent === null) return (await findTask(ctx.db, caller.uid, row.id)) ?? toTask(row);
  runner.start({
    uid: caller.uid,
    taskId: row.id,
    sessionId: row.sessionId,
    attempt: row.attempt,
    inputText: row.inputText,
    agent,
    plan,
    without: row.without,
    controller: new AbortController(),
  });
  return toTask(row);
}

function hashBody(input: Start): string {
  const parts = [input.sessionId, input.agentId, input.inputText, input.retryOf ?? '', ...(input.without ?? [])];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The task that this request started before: found by its key, or as the one retry of a task. */
async function findEarlier(tx: Tx, uid: string, input: Start, bodyHash: string): Promise<TaskRow | undefined> {
  if (input.retryOf !== undefined) {
    const [row] = await tx
      .select()
      .from(tasks)
      .where(and(eq(tasks.userId, uid), eq(tasks.retryOf, input.retryOf)));
    return row;
  }
  if (input.idempotencyKey === undefined) return undefined;
  const row = await findByKey(tx, uid, input.idempotencyKey);
  if (row !== undefined && row.bodyHash !== bodyHash) {
    throw new AppError('conflict', 'This Idempotency-Key was used with another message.');
  }
  return row;
}

function agentOf(session: SessionWithAgent, agentId: string): AgentRow {
  if (session.agent.slug !== agentId) {
    throw new AppError('invalid_input', 'This session belongs to another agent.', { field: 'agentId' });
  }
  if (session.agent.deletedAt !== null) throw new AppError('conflict', AGENT_DELETED);
  return session.agent;
}
