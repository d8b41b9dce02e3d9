import { SENTENCES } from '@atelier/contract/errors';
import { defaultSessionName, type SessionCreate } from '@atelier/contract/sessions';
import { type Caller, owned } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { idOfRequest } from '../../platform/http/request-headers.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { getAgent, listAgents } from '../agents/agents.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { takeSession } from './session-limit.service.ts';
import { afterLast, withAgent } from './sessions.queries.ts';
import { isSession, notifyList, type SessionKey, type SessionWithAgent } from './sessions.service.ts';
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
