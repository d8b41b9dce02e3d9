import type { Authorized } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { emptyAgent } from '../agents/update-agent.service.ts';
import { deleteFilesOfAgent } from '../files/delete-file.service.ts';
import { forgetAgent } from '../memory/forget.service.ts';
import { requestCancelOfAgent } from '../runs/runs.cancel.service.ts';

/** Deletes the agent with its prompt, memories and files and stops its runs; a new agent of the same name starts empty. */
export async function deleteAgent(ctx: Deps, agent: Authorized<AgentRow>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await emptyAgent(ctx, tx, agent);
    await forgetAgent(ctx, tx, { userId: agent.userId, agentId: agent.id });
    await deleteFilesOfAgent(ctx, tx, agent);
    await requestCancelOfAgent(ctx, tx, agent);
  });
}
