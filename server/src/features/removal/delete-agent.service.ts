import type { Authorized } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import type { Deps } from '../../platform/deps.ts';
import { emptyAgent } from '../agents/agents.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { deleteFilesOfAgent } from '../files/files.service.ts';
import { forgetAgent, hideMemories } from '../memory/forget.service.ts';
import { requestCancelOfAgent } from '../runs/runs.cancel.service.ts';

/** The queue that removes what a deleted agent has left. */
export const ERASE_AGENT_QUEUE = 'agents.erase';

export interface AgentKey {
  userId: string;
  agentId: string;
}

/**
 * Deletes the agent with its prompt and stops its runs; nobody finds its memories and files from then on, and a job removes them. A new agent
 * of the same name starts empty.
 */
export async function deleteAgent(ctx: Deps, agent: Authorized<AgentRow>): Promise<void> {
  const key: AgentKey = { userId: agent.userId, agentId: agent.id };
  await ctx.db.transaction(async (tx) => {
    await emptyAgent(ctx, tx, agent);
    await hideMemories(ctx, tx, key);
    await requestCancelOfAgent(ctx, tx, agent);
    await ctx.jobs.send(tx, ERASE_AGENT_QUEUE, key);
  });
}

/** Removes the memories and files of a deleted agent. */
export async function eraseAgent(ctx: Deps, key: AgentKey): Promise<void> {
  await noteDeletion(ctx, { kind: 'agent', userId: key.userId, ids: [key.agentId] });
  await deleteFilesOfAgent(ctx, key);
  await forgetAgent(ctx, key);
}
