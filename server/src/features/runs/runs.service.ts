import { createHash } from 'node:crypto';
import { SENTENCES } from '@atelier/contract/errors';
import type { PageQuery } from '@atelier/contract/ids';
import type { SessionSummary, Task, TaskCreate } from '@atelier/contract/runs';
import { and, eq, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, limitsOf, RUNS_AT_ONCE, recallScope, tooMany } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { prepareRecall } from '../memory/memory.service.ts';
import { getSession, type SessionWithAgent } from '../sessions/sessions.service.ts';
import type { Summary } from './engine/context.ts';
import { interruptOwn, leaseEnd } from './engine/lease.service.ts';
import { notifyRuns, notifyTasks } from './engine/notices.service.ts';
import type { Runner } from './engine/runner.ts';
import { isInFlight, toTask } from './runs.events.ts';
import {
  countInFlight,
  findByKey,
  findSummary,
  findTask,
  findTasks,
  findWithout,
  inFlightOf,
  notYetCancelled,
} from './runs.queries.ts';
import { type TaskRow, tasks } from './runs.table.ts';

export const AGENT_DELETED =
  'The agent of this session was deleted. You can still read the session, but not continue it.';
export const STOPPING = 'The server is restarting. Please try again in a moment.';
const STILL_RUNNING = 'This session is still answering. Wait for the answer or stop it first.';

/** What starting and stopping runs needs beside the dependencies of every service. */
export type RunsContext = Deps & { runner: Runner };

/** A page of the session's exchanges, ascending; the cursor leads to older ones. */
export async function listTasks(ctx: Deps, caller: Caller, session: Authorized<SessionWithAgent>, query: PageQuery) {
  const { agent } = session;
  // Who opens a session asks next: what that recalls from is loaded meanwhile.
  if (query.cursor === undefined && agent.memoryEnabled && agent.deletedAt === null) {
    const place = { userId: session.userId, agentId: agent.id, sessionId: session.id };
    prepareRecall(ctx, { ...place, scope: recallScope(caller.plan) });
  }
  const found = await findTasks(ctx.db, session.userId, session.id, query.limit + 1, decodeCursor(query.cursor));
  const shown = found.slice(0, query.limit);
  const oldest = shown.at(-1);
  const more = found.length > query.limit && oldest !== undefined;
  const summary = await findSummary(ctx.db, session.userId, session.id);
  return {
    summary: summary === undefined ? null : toSummary(summary),
    tasks: shown.toReversed(),
    nextCursor: more ? encodeCursor({ at: new Date(oldest.timestamp), id: oldest.id }) : null,
  };
}

const toSummary = ({ text, kind, exchanges, until }: Summary): SessionSummary => ({
  text,
  kind,
  exchanges,
  until: until.toISOString(),
});

/** The caller's task in their session; 404 for anything else. */
export async function getTask(ctx: Deps, caller: Caller, sessionId: string, taskId: string): Promise<Task> {
  await getSession(ctx.db, caller.uid, sessionId);
  const task = isUuid(taskId) ? await findTask(ctx.db, caller.uid, taskId) : undefined;
  if (task === undefined || task.sessionId !== sessionId) throw notFound('This message');
  return task;
}

interface Start extends TaskCreate {
  sessionId: string;
  idempotencyKey?: string | undefined;
  retryOf?: string;
  /** Memories to leave out. */
  without?: string[];
}

/**
 * Accepts a message and starts its run, which outlives the request. Limits count runs in flight, so that parallel messages
 * can't overspend (402); the same key with the same body answers the same task, with another body 409; a session runs one at a time (409).
 * Nothing begins on a server that is about to stop (503).
 */
export async function startTask(ctx: RunsContext, caller: Caller, input: Start): Promise<Task> {
  const { runner } = ctx;
  if (runner.isDraining()) throw new AppError('unavailable', STOPPING, { retryAfterSeconds: 5 });
  const bodyHash = hashBody(input);
  const started = await ctx.db.transaction(async (tx) => {
    // The lock comes first: from here on nobody else of this account starts or ends a run.
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
    const row = await insertTask(ctx, tx, session, agent, input, bodyHash);
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

/** The task that this very request started before, if it did: by its key, or as the one retry of a task. */
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

/** Now, but behind the session's last message also where the clock was set back meanwhile. */
const afterLast = ({ userId, id }: SessionWithAgent) => sql`greatest(now(), (
  select max(t.created_at) + interval '1 millisecond' from tasks t where t.user_id = ${userId} and t.session_id = ${id}))`;

async function insertTask(
  ctx: Deps,
  tx: Tx,
  session: SessionWithAgent,
  agent: AgentRow,
  input: Start,
  bodyHash: string,
): Promise<TaskRow> {
  const running = await tx
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(inFlightOf(session.userId), eq(tasks.sessionId, session.id)));
  if (running.length > 0) throw new AppError('conflict', STILL_RUNNING);
  const [row] = await tx
    .insert(tasks)
    .values({
      userId: session.userId,
      id: uuidv7(),
      sessionId: session.id,
      agentId: agent.id,
      agentName: agent.name,
      inputText: input.inputText,
      status: 'running',
      model: ctx.models.kind === 'offline' ? 'offline' : agent.model,
      retryOf: input.retryOf ?? null,
      without: input.without ?? [],
      idempotencyKey: input.idempotencyKey ?? null,
      bodyHash,
      leaseOwner: ctx.processId,
      leaseUntil: leaseEnd(ctx),
      createdAt: afterLast(session),
    })
    .returning();
  if (row === undefined) throw new Error('the task was not inserted');
  return row;
}

/** Asks whichever process runs the task to stop, and ends one that nobody runs. Nothing happens to a task that has ended. */
export async function cancelTask(ctx: RunsContext, caller: Caller, sessionId: string, taskId: string): Promise<Task> {
  const task = await getTask(ctx, caller, sessionId, taskId);
  await ctx.db.transaction((tx) => requestCancel(ctx, tx, caller.uid, eq(tasks.id, task.id)));
  if (!isInFlight(task.status) || ctx.runner.runs(task.id)) return task;
  await interruptOwn(ctx, task.id);
  return getTask(ctx, caller, sessionId, taskId);
}

export async function requestCancelOfSession(ctx: Deps, tx: Tx, session: { userId: string; id: string }) {
  await requestCancel(ctx, tx, session.userId, eq(tasks.sessionId, session.id));
}

export async function requestCancelOfAgent(ctx: Deps, tx: Tx, agent: { userId: string; id: string }) {
  await requestCancel(ctx, tx, agent.userId, eq(tasks.agentId, agent.id));
}

/** Stops everything that runs for an account, which is about to go. */
export async function requestCancelOfUser(ctx: Deps, tx: Tx, uid: string) {
  await requestCancel(ctx, tx, uid, eq(tasks.userId, uid));
}

async function requestCancel(ctx: Deps, tx: Tx, uid: string, which: ReturnType<typeof eq>) {
  const asked = await tx
    .update(tasks)
    .set({ cancelRequestedAt: sql`now()` })
    .where(and(inFlightOf(uid), which, notYetCancelled))
    .returning({ id: tasks.id });
  if (asked.length > 0) await notifyRuns(ctx, tx, { c: asked.map((row) => row.id) });
}

/** Sends the words of a failed, stopped or interrupted task again as a new one; a second click answers the same new task. */
export async function retryTask(ctx: RunsContext, caller: Caller, sessionId: string, taskId: string): Promise<Task> {
  const task = await getTask(ctx, caller, sessionId, taskId);
  if (isInFlight(task.status)) throw new AppError('conflict', STILL_RUNNING);
  if (task.status === 'done') throw new AppError('conflict', 'This message has already been answered.');
  const session = await getSession(ctx.db, caller.uid, sessionId);
  return startTask(ctx, caller, {
    sessionId,
    agentId: session.agent.slug,
    inputText: task.inputText,
    retryOf: task.id,
  });
}

/** Asks the same as an ended task once more, with memories of its receipt left out, as a new message that counts like any other. */
export async function askAgain(
  ctx: RunsContext,
  caller: Caller,
  at: { sessionId: string; taskId: string },
  input: { without: string[]; idempotencyKey?: string | undefined },
): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  if (isInFlight(task.status)) throw new AppError('conflict', STILL_RUNNING);
  const known = new Set(task.memoryUsed.map((item) => item.id));
  if (!input.without.every((id) => known.has(id))) {
    throw new AppError('invalid_input', 'This memory was not part of the answer.', { field: 'without' });
  }
  const session = await getSession(ctx.db, caller.uid, at.sessionId);
  const without = [...new Set([...(await findWithout(ctx.db, caller.uid, task.id)), ...input.without])];
  return startTask(ctx, caller, {
    sessionId: at.sessionId,
    agentId: session.agent.slug,
    inputText: task.inputText,
    idempotencyKey: input.idempotencyKey,
    without,
  });
}
