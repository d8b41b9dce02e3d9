import { SENTENCES } from '@atelier/contract/errors';
import { defaultSessionName, type SessionCreate } from '@atelier/contract/sessions';
import { v7 as uuidv7 } from 'uuid';
import { type Caller, owned } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { getAgent, listAgents } from '../agents/agents.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { takeSession } from './session-limit.service.ts';
import { afterLast } from './sessions.queries.ts';
import { notifyList, type SessionWithAgent } from './sessions.service.ts';
import { sessions } from './sessions.table.ts';

/** Creates a session with one of the caller's agents; 402 with the sentence when a free account has none left. */
export async function createSession(ctx: Deps, caller: Caller, input: SessionCreate): Promise<SessionWithAgent> {
  return ctx.db.transaction(async (tx) => {
    await takeSession(tx, caller);
    const agent = await agentForSession(ctx, tx, caller, input.agentId);
    const [row] = await tx
      .insert(sessions)
      .values({
        userId: caller.uid,
        id: uuidv7(),
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

async function agentForSession(ctx: Deps, tx: Tx, caller: Caller, slug: string): Promise<AgentRow> {
  try {
    return await getAgent(tx, caller.uid, slug);
  } catch (error) {
    const { rows } = await listAgents({ ...ctx, db: tx }, caller, { limit: 1 });
    if (rows.length === 0) throw new AppError('invalid_input', SENTENCES.noAgents, { field: 'agentId' });
    throw error;
  }
}
