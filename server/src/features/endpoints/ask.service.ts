import type { Task, TaskEvent } from '@atelier/contract/runs';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { createTurns } from '../../platform/turns.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { cancelTask } from '../runs/runs.cancel.service.ts';
import { followTask, waitForTask } from '../runs/runs.follow.service.ts';
import { type DepsWithRunner, startTask } from '../runs/runs.start.service.ts';
import { createSession } from '../sessions/create-session.service.ts';
import { findSessionById, findSessionByName, findSessionOfTask } from './endpoints.queries.ts';
import { namedSessions } from './endpoints.table.ts';

interface ProgramRequest {
  agent: AgentRow;
  session: SessionWish;
  text: string;
  instructions?: string;
  idempotencyKey?: string | undefined;
}

/** An answer under way: its exchange, and what happens until its end. To stop reading early stops the answer. */
export interface Answering {
  task: Task;
  events: AsyncGenerator<TaskEvent>;
}

export type Ask = (caller: Caller, question: ProgramRequest, signal: AbortSignal) => Promise<Answering>;

/**
 * How programs ask: in a session of their choice, where messages that come at once are answered one after another. When `signal` aborts,
 * because the program left or its key was revoked, the answer stops. `forget` deletes a fleeting session.
 */
export function createAsk(ctx: DepsWithRunner, forget: (uid: string, sessionId: string) => Promise<unknown>): Ask {
  const line = createTurns(Number.POSITIVE_INFINITY);
  return async (caller, { agent, session, text, ...more }, signal) => {
    const sessionId = await chooseSession(ctx, caller, agent, session);
    const leave = () =>
      session.isFleeting
        ? forget(caller.uid, sessionId).catch((error: unknown) => ctx.log.error('endpoints.forget', error))
        : undefined;
    const started = Promise.withResolvers<Task>();
    const turn = line.take(sessionId, signal, async () => {
      const task = await startTask(ctx, caller, { ...more, sessionId, agentId: agent.slug, inputText: text });
      started.resolve(task);
      await waitForTask(ctx, caller, task.id, new AbortController().signal);
    });
    // A failure of waiting only ends the turn.
    turn.catch(started.reject);
    const task = await started.promise.catch(async (error: unknown) => {
      await leave();
      throw error;
    });
    return { task, events: follow(ctx, caller, task, signal, leave) };
  };
}

/** The events up to the end; throws why there is none: the program left, or the session was deleted. */
async function* follow(
  ctx: DepsWithRunner,
  caller: Caller,
  task: Task,
  signal: AbortSignal,
  leave: () => Promise<unknown> | undefined,
): AsyncGenerator<TaskEvent> {
  let hasEnded = false;
  try {
    for await (const event of followTask(ctx, caller, task.id, 0, signal)) {
      hasEnded = event.type === 'done';
      yield event;
    }
    if (hasEnded) return;
    signal.throwIfAborted();
    throw notFound('This session');
  } finally {
    if (!hasEnded) await stop(ctx, caller, task);
    await leave();
  }
}

/** A session that was deleted meanwhile has stopped its answers itself. */
async function stop(ctx: DepsWithRunner, caller: Caller, task: Task): Promise<void> {
  await cancelTask(ctx, caller, task.sessionId, task.id).catch((error: unknown) => {
    if (!(error instanceof AppError)) ctx.log.error('endpoints.stop', error, { task: task.id });
  });
}

/** Waits for the whole answer; throws what became of it when it failed. */
export async function wholeAnswer({ task, events }: Answering): Promise<Task> {
  let ended = task;
  for await (const event of events) if (event.type === 'done') ended = event.task;
  return checked(ended);
}

/** The task, if its answer can be given; otherwise throws its sentence: 502 for the provider, 503 for a restart. */
export function checked(task: Task): Task {
  if (task.status === 'failed') throw new AppError('provider_failed', task.error ?? '');
  if (task.status === 'interrupted') throw new AppError('unavailable', task.error ?? '');
  return task;
}

const NAME_MAX = 200;

/** Which session a program wants. */
export interface SessionWish {
  /** The id of a session, or any name of the program's own. */
  name?: string | undefined;
  /** An earlier exchange to go on from. */
  after?: string | undefined;
  /** The answer leaves no session: it has one of its own. */
  isFleeting?: boolean | undefined;
  /** The session of this name, if the caller has just looked it up. */
  sessionId?: string | undefined;
}

/** Under which name a program's session is stored. */
export const sessionKey = (caller: Caller, name: string | undefined) =>
  name ? `id:${name}` : `key:${caller.key?.id ?? 'none'}`;

/**
 * The id of the session that a program means: that of an earlier exchange, the one with this id, or the one of this name, which is made
 * when it is new or was deleted. Without a wish, each key has one session with each agent. A fleeting one is new each time.
 */
export async function chooseSession(ctx: Deps, caller: Caller, agent: AgentRow, wish: SessionWish): Promise<string> {
  const place = { uid: caller.uid, agentId: agent.id };
  if (wish.after !== undefined) {
    const sessionId = isUuid(wish.after) ? await findSessionOfTask(ctx.db, place, wish.after) : undefined;
    if (sessionId !== undefined) return sessionId;
    throw new AppError('not_found', 'The earlier response was not found.', { field: 'previous_response_id' });
  }
  if (wish.isFleeting) return (await createSession(ctx, caller, { agentId: agent.slug })).id;
  const { name } = wish;
  if (name !== undefined && name.length > NAME_MAX) {
    throw new AppError('invalid_input', `A session’s name has at most ${NAME_MAX} characters.`, { field: 'user' });
  }
  const session = name !== undefined && isUuid(name) ? await findSessionById(ctx.db, place, name) : undefined;
  if (session !== undefined) return session;
  const key = sessionKey(caller, name);
  return wish.sessionId ?? (await findSessionByName(ctx.db, place, key)) ?? openSession(ctx, caller, agent, key);
}

/** Makes the session of a name once, however many requests ask for it. */
async function openSession(ctx: Deps, caller: Caller, agent: AgentRow, name: string): Promise<string> {
  const place = { uid: caller.uid, agentId: agent.id };
  return ctx.db.transaction(async (tx) => {
    await lockUsage(tx, caller.uid);
    const sessionId = await findSessionByName(tx, place, name);
    if (sessionId !== undefined) return sessionId;
    const { id } = await createSession({ ...ctx, db: tx }, caller, { agentId: agent.slug });
    await tx
      .insert(namedSessions)
      .values({ userId: caller.uid, agentId: agent.id, name, sessionId: id })
      .onConflictDoUpdate({
        target: [namedSessions.userId, namedSessions.agentId, namedSessions.name],
        set: { sessionId: id },
      });
    return id;
  });
}
