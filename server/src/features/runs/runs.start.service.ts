import { createHash } from 'node:crypto';
import { SENTENCES } from '@atelier/contract/errors';
import type { Task, TaskCreate } from '@atelier/contract/runs';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Caller, limitsOf, RUNS_AT_ONCE, tooMany } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Runner } from './engine/runner.ts';
import { type StartOutcome, startRun } from './exchange.queries.ts';
import { toTask } from './runs.events.ts';
import { findTask } from './runs.queries.ts';

export const AGENT_DELETED =
  'The agent of this session was deleted. You can still read the session, but not continue it.';
export const STILL_RUNNING = 'This session is still answering. Wait for the answer or stop it first.';
export const STOPPING = 'The server is restarting. Please try again in a moment.';
/** What runs need beside the usual dependencies. */
export type RunsContext = Deps & { runner: Runner };

/** A message to send. */
export interface Start extends TaskCreate {
  sessionId: string;
  idempotencyKey?: string | undefined;
  retryOf?: string;
  /** Memories to leave out. */
  without?: string[];
  /** Added to the agent's prompt for this answer. */
  instructions?: string;
}

/**
 * Accepts a message and starts its run, which outlives the request. Limits count runs in flight, so parallel messages can't overspend
 * (402). The same key with the same body returns the same task, with another body 409. A session runs one task at a time (409). A stopping
 * server starts nothing (503).
 */
export async function startTask(ctx: RunsContext, caller: Caller, input: Start): Promise<Task> {
  const { runner } = ctx;
  if (runner.isDraining()) throw new AppError('unavailable', STOPPING, { retryAfterSeconds: 5 });
  if (!isUuid(input.sessionId)) throw notFound('This session');
  const { outcome, plan, task, agent } = await startRun(ctx.db, {
    uid: caller.uid,
    sessionId: input.sessionId,
    agent: input.agentId,
    taskId: uuidv7(),
    inputText: input.inputText,
    key: input.idempotencyKey ?? null,
    bodyHash: hashBody(input),
    retryOf: input.retryOf ?? null,
    without: input.without ?? [],
    model: ctx.models.kind === 'offline' ? 'offline' : null,
    processId: ctx.processId,
    leaseMs: ctx.config.LEASE_MS,
    runsAtOnce: RUNS_AT_ONCE * ctx.config.ACCOUNT_BOUNDS,
    limits: { free: limitsOf('free'), pro: limitsOf('pro') },
  });
  if (outcome === 'earlier') return (await findTask(ctx.db, caller.uid, task.id)) ?? toTask(task);
  if (outcome !== 'started') throw refusalOf(outcome);
  runner.start({
    uid: caller.uid,
    taskId: task.id,
    sessionId: task.sessionId,
    attempt: task.attempt,
    inputText: task.inputText,
    agent: input.instructions ? { ...agent, prompt: `${agent.prompt}\n\n${input.instructions}` } : agent,
    plan,
    without: task.without,
    controller: new AbortController(),
  });
  return { ...toTask(task), model: ctx.models.resolve(agent.model).id };
}

function hashBody(input: Start): string {
  const { sessionId, agentId, inputText, retryOf = '', without = [], instructions } = input;
  const parts = [sessionId, agentId, inputText, retryOf, ...without, ...(instructions ? [{ instructions }] : [])];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function refusalOf(outcome: Exclude<StartOutcome, 'started' | 'earlier'>): AppError {
  switch (outcome) {
    case 'other_body':
      return new AppError('conflict', 'This Idempotency-Key was used with another message.');
    case 'no_session':
      return notFound('This session');
    case 'other_agent':
      return new AppError('invalid_input', 'This session belongs to another agent.', { field: 'agentId' });
    case 'agent_deleted':
      return new AppError('conflict', AGENT_DELETED);
    case 'too_many':
      return tooMany(5, 'Too many answers are being written at once.');
    case 'message_limit':
      return new AppError('limit_reached', SENTENCES.messageLimit);
    case 'task_limit':
      return new AppError('limit_reached', SENTENCES.taskLimit);
    case 'busy':
      return new AppError('conflict', STILL_RUNNING);
  }
}
