import { createHash } from 'node:crypto';
import { SENTENCES } from '@atelier/contract/errors';
import type { Task, TaskCreate } from '@atelier/contract/runs';
import { and, eq } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Caller, limitsOf, recallScope, tooMany } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { inputTextOf, takeAttachments } from '../attachments/attachments.service.ts';
import { type BoundBudget, boundsOf, budgetRefusal } from '../budgets/budgets.service.ts';
import { rankAhead } from '../memory/rank-ahead.service.ts';
import type { Runner } from './engine/runner.ts';
import { reserveFor } from './reservation.service.ts';
import { type AcceptOutcome, acceptMessage } from './run-statements.queries.ts';
import { toTask } from './runs.events.ts';
import { findTask, placeOf } from './runs.queries.ts';
import { tasks } from './runs.table.ts';

export const AGENT_DELETED =
  'The agent of this session was deleted. You can still read the session, but not continue it.';
export const STILL_RUNNING = 'This session is still answering. Wait for the answer or stop it first.';
export const STOPPING = 'The server is restarting. Please try again in a moment.';
/** What depends on the plan, which only the database knows for certain. */
const BY_PLAN = {
  limits: { free: limitsOf('free'), pro: limitsOf('pro') },
  scopes: { free: recallScope('free'), pro: recallScope('pro') },
};
/** What runs need beside the usual dependencies. */
export type DepsWithRunner = Deps & { runner: Runner };

/** A message to send. */
export interface Start extends Omit<TaskCreate, 'whenBusy'> {
  sessionId: string;
  idempotencyKey?: string | undefined;
  retryOf?: string;
  /** The task whose place it takes: both stay, as siblings. `retryOf` implies it. */
  again?: string;
  /** A model to answer instead of the agent's own. */
  model?: string | undefined;
  /** Memories to leave out. */
  without?: string[];
  /** Added to the agent's prompt for this answer, where it isn't that prompt: the words of a program. */
  instructions?: string;
}

/**
 * Accepts a message and starts its run, which outlives the request. Limits count runs in flight, so parallel messages can't overspend
 * (402), and neither can they overspend a budget (429). The same key with the same body returns the same task, with another body 409. A session runs one task at a time (409). A stopping
 * server starts nothing (503). Attachments go along (400 when one is gone).
 */
export async function startTask(ctx: DepsWithRunner, caller: Caller, input: Start): Promise<Task> {
  if (ctx.runner.isDraining()) throw new AppError('unavailable', STOPPING, { retryAfterSeconds: 5 });
  if (!isUuid(input.sessionId)) throw notFound('This session');
  const { attachmentIds = [] } = input;
  const { model, bound, ...reserved } = await reserveFor(ctx, caller, input);
  const start = {
    uid: caller.uid,
    sessionId: input.sessionId,
    agent: input.agentId,
    taskId: uuidv7(),
    inputText: await inputTextOf(ctx.db, caller.uid, input.inputText, attachmentIds),
    key: input.idempotencyKey ?? null,
    bodyHash: hashBody(input),
    retryOf: input.retryOf ?? null,
    without: input.without ?? [],
    again: input.again ?? input.retryOf ?? null,
    model: ctx.models.kind === 'offline' ? 'offline' : (model ?? input.model ?? null),
    processId: ctx.processId,
    lease: `${ctx.config.LEASE_MS} milliseconds`,
    runsAtOnce: boundsOf(ctx.config).runsAtOnce,
    ...reserved,
    ...BY_PLAN,
  };
  const ranking = rankAhead(ctx, { userId: caller.uid, sessionId: input.sessionId }, start.inputText);
  const started = await startWithAttachments(ctx, start, attachmentIds);
  const { outcome, plan, task, parent, siblings, context } = started;
  if (outcome === 'earlier') return getEarlier(ctx, caller, task.id);
  if (outcome !== 'started') throw refusalOf(outcome, reserved.budgets?.[started.refused_by ?? -1]);
  const agent = agentFor(started.agent, model === undefined ? input : { ...input, model });
  const place = placeOf(task.sessionId, parent, siblings);
  const { id: taskId, sessionId, attempt, inputText, attachments, without } = task;
  const message = { uid: caller.uid, taskId, sessionId, attempt, inputText, place, attachments, without };
  const isInstructed = agent.prompt !== started.agent.prompt;
  const controller = new AbortController();
  ctx.runner.start({ ...message, agent, isInstructed, plan, ranking, context, bound, controller });
  return { ...toTask(task, place), model: ctx.models.accepted(agent.model).id };
}

async function getEarlier(ctx: DepsWithRunner, caller: Caller, taskId: string): Promise<Task> {
  const earlier = await findTask(ctx.db, caller.uid, taskId);
  if (earlier === undefined) throw notFound('This message');
  return earlier;
}

/** The agent as it answers this message. Programs may repeat the prompt that it has. */
function agentFor(agent: AgentRow, { model = agent.model, instructions = '' }: Start): AgentRow {
  const isOwn = ['', agent.prompt.trim()].includes(instructions.trim());
  return { ...agent, model, prompt: isOwn ? agent.prompt : `${agent.prompt}\n\n${instructions}` };
}

function hashBody(input: Start): string {
  const { sessionId, agentId, inputText, retryOf = '', without = [], instructions, again, model } = input;
  const { attachmentIds = [] } = input;
  const kind = again ? [{ again, model }] : [];
  const added = [...(instructions ? [{ instructions }] : []), ...(attachmentIds.length > 0 ? [{ attachmentIds }] : [])];
  const parts = [sessionId, agentId, inputText, retryOf, ...without, ...added, ...kind];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The error for a message that was not accepted; `budget` is the one without room. */
export function refusalOf(outcome: Exclude<AcceptOutcome, 'started' | 'earlier'>, budget?: BoundBudget): AppError {
  switch (outcome) {
    case 'other_body':
      return new AppError('conflict', 'This Idempotency-Key was used with another message.');
    case 'no_session':
      return notFound('This session');
    case 'no_task':
      return notFound('This message');
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
    case 'budget_used':
    case 'budget_reserved':
      return budget === undefined ? tooMany(5) : budgetRefusal(budget, outcome);
    case 'busy':
      return new AppError('conflict', STILL_RUNNING);
  }
}

/**
 * Accepts a message together with its attachments: both, or neither. 400 when an attachment is not there any more; a person who sends the same
 * request again gets the task that it started.
 */
async function startWithAttachments(
  ctx: Deps,
  start: Parameters<typeof acceptMessage>[2],
  ids: readonly string[],
): ReturnType<typeof acceptMessage> {
  if (ids.length === 0) return acceptMessage(ctx.db, false, start);
  return ctx.db.transaction(async (tx) => {
    const started = await acceptMessage(tx, true, start);
    if (started.outcome !== 'started') return started;
    const attachments = await takeAttachments(tx, start.uid, ids);
    await tx.update(tasks).set({ attachments }).where(isTask(start.uid, start.taskId));
    return { ...started, task: { ...started.task, attachments } };
  });
}

const isTask = (uid: string, id: string) => and(eq(tasks.userId, uid), eq(tasks.id, id));
