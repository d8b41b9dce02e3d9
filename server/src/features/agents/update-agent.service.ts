import { type AgentUpdate, NEW_AGENT } from '@atelier/contract/agents';
import { allOfServer } from '@atelier/contract/tools';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Authorized, type Caller, mayPublish, owned } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { pinsOf } from '../tools/tools.service.ts';
import { exploreId } from './agents.service.ts';
import { type AgentRow, agents } from './agents.table.ts';
import { checkModel, checkTools } from './check-agent.service.ts';

/** Merges the given fields into the agent; its address stays. */
export async function updateAgent(ctx: Deps, caller: Caller, agent: Authorized<AgentRow>, input: AgentUpdate) {
  if (input.model !== undefined && input.model !== agent.model) checkModel(ctx, input.model);
  if (input.tools === undefined) return writeAgent(ctx, caller, agent, input);
  await checkTools(ctx, caller, input.tools, agent.tools);
  return writeAgent(ctx, caller, agent, { ...input, toolPins: await repin(ctx, caller, agent, input.tools) });
}

/** A tool that stays on keeps what it was when it was turned on; only one that is turned on now is taken as it is now. */
async function repin(ctx: Deps, caller: Caller, agent: AgentRow, asked: string[]): Promise<AgentRow['toolPins']> {
  const added = asked.filter((id) => !agent.tools.includes(id));
  const stays = (id: string) => asked.includes(id) && !added.includes(id);
  const kept = agent.toolPins.filter(([id]) => stays(id) || stays(allOfServer(id) ?? id));
  return [...kept, ...(await pinsOf(ctx, caller.uid, added))];
}

type AgentChange = AgentUpdate & Partial<Pick<AgentRow, 'forkBase' | 'toolPins'>>;

/** Writes fields that were checked already and tells everybody whom it concerns; without Pro the agent is private from then on. */
export async function writeAgent(ctx: Deps, caller: Caller, agent: Authorized<AgentRow>, change: AgentChange) {
  const isPublic = (change.isPublic ?? agent.isPublic) && mayPublish(caller.plan);
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(agents)
      .set({ ...change, isPublic, updatedAt: sql`now()` })
      .where(and(eq(agents.userId, agent.userId), eq(agents.id, agent.id), isNull(agents.deletedAt)))
      .returning();
    await ctx.live.notify(tx, caller.uid, 'agents', agent.id);
    if (change.name !== undefined) await ctx.live.notify(tx, caller.uid, 'sessions', agent.id);
    if (isPublic || agent.isPublic) await ctx.live.notify(tx, '*', 'explore', exploreId(agent));
    return owned(caller.uid, row, 'This agent');
  });
}

/** Empties the agent's row and takes its address; the row stays, so that its sessions can name it. */
export async function emptyAgent(ctx: Deps, tx: Tx, agent: Authorized<AgentRow>): Promise<void> {
  await tx
    .update(agents)
    .set({
      ...NEW_AGENT,
      deletedAt: sql`now()`,
      prompt: '',
      toolPins: [],
      isPublic: false,
      forkBase: null,
    })
    .where(and(eq(agents.userId, agent.userId), eq(agents.id, agent.id)));
  await ctx.live.notify(tx, agent.userId, 'agents', agent.id);
  await ctx.live.notify(tx, agent.userId, 'sessions', agent.id);
  if (agent.isPublic) await ctx.live.notify(tx, '*', 'explore', exploreId(agent));
}
