import { SENTENCES } from '@atelier/contract/errors';
import { fitName } from '@atelier/contract/names/names';
import { defaultSessionName, SESSION_NAME_MAX, type SessionCreate } from '@atelier/contract/sessions';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, limitsOf, owned } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { idOfRequest } from '../../platform/http/request-headers.ts';
import { changeUsage, type LockedUsage, lockUsage } from '../accounts/accounts.counts.service.ts';
import { getAgent, listAgents } from '../agents/agents.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { afterLast, withAgent } from './sessions.queries.ts';
import { isSession, notifyList, PURGE_QUEUE, type SessionKey, type SessionWithAgent } from './sessions.service.ts';
import { sessions } from './sessions.table.ts';

/**
 * Creates a session with one of the caller's agents; 402 with the sentence when a free account has none left. The same key answers the
 * session that it created: 404 once that was deleted, 409 for another agent.
 */
export async function createSession(
  ctx: Deps,
  caller: Caller,
  input: SessionCreate & { idempotencyKey?: string | undefined },
): Promise<SessionWithAgent> {
  const id = idOfRequest(caller.uid, input.idempotencyKey);
  return ctx.db.transaction(async (tx) => {
    if (input.idempotencyKey !== undefined) {
      // The same request may be under way.
      await lockUsage(tx, caller.uid);
      const earlier = await findEarlier(tx, { userId: caller.uid, sessionId: id }, input.agentId);
      if (earlier !== undefined) return earlier;
    }
    await takeSession(tx, caller);
    const agent = await agentForSession(ctx, tx, caller, input.agentId);
    const [row] = await tx
      .insert(sessions)
      .values({
        userId: caller.uid,
        id,
        agentId: agent.id,
        name: input.name ?? defaultSessionName(agent.name),
        nameSource: input.name === undefined ? 'default' : 'person',
        createdAt: afterLast(caller.uid),
      })
      .returning();
    await notifyList(ctx, tx, caller.uid, row === undefined ? [] : [row.id]);
    return { ...owned(caller.uid, row, 'This session'), agent };
  });
}

async function findEarlier(tx: Tx, key: SessionKey, slug: string): Promise<SessionWithAgent | undefined> {
  const [earlier] = await withAgent(tx).where(isSession(key));
  if (earlier === undefined) return undefined;
  const { session, agent } = earlier;
  if (agent.slug !== slug) throw new AppError('conflict', 'This Idempotency-Key was used with another agent.');
  return { ...owned(key.userId, session.deletedAt === null ? session : undefined, 'This session'), agent };
}

async function agentForSession(ctx: Deps, tx: Tx, caller: Caller, slug: string): Promise<AgentRow> {
  try {
    return await getAgent(tx, caller.uid, slug);
  } catch (error) {
    const { rows } = await listAgents({ ...ctx, db: tx }, caller, { limit: 1 });
    if (rows.length === 0) throw new AppError('invalid_input', SENTENCES.noAgents, { field: 'agentId' });
    throw error;
  }
}

/** Locks the account's usage, refuses beyond the limit, and counts one more session. */
async function takeSession(tx: Tx, caller: Caller) {
  requireRoom(await lockUsage(tx, caller.uid), 1);
  await changeUsage(tx, caller.uid, { sessions: 1 });
}

/** Refuses more sessions than the plan has room for; archived ones count like any other. */
export function requireRoom(usage: LockedUsage, more: number) {
  const limit = limitsOf(usage.plan).sessions;
  if (limit !== null && usage.sessionCount + more > limit) {
    throw new AppError('limit_reached', SENTENCES.sessionLimit);
  }
}

const COPY_MARK = ' (continued)';
/** A copy that is not complete by then, because the process died, is removed. In seconds. */
const COPY_WITHIN = 600;

/** A new session with another's agent and name, hidden until `restoreSessions` shows it. Returns its id; 402 when no session is left. */
export async function startCopy(ctx: Deps, caller: Caller, session: Authorized<SessionWithAgent>): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    requireRoom(await lockUsage(tx, caller.uid), 1);
    const id = uuidv7();
    const base = session.name.endsWith(COPY_MARK) ? session.name.slice(0, -COPY_MARK.length) : session.name;
    await tx.insert(sessions).values({
      userId: caller.uid,
      id,
      agentId: session.agentId,
      name: fitName(base, SESSION_NAME_MAX - COPY_MARK.length, 'Session') + COPY_MARK,
      nameSource: 'title',
      folderId: session.folderId,
      createdAt: afterLast(caller.uid),
      deletedAt: sql`now()`,
    });
    await ctx.jobs.send(tx, PURGE_QUEUE, { userId: caller.uid, sessionId: id }, { startAfterSeconds: COPY_WITHIN });
    return id;
  });
}
