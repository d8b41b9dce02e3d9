import type { AgentSettings, agentCreate } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { agentSlug } from '@atelier/contract/ids';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { type Authorized, type Caller, mayPublish, owned } from '../../access.ts';
import { asConflict } from '../../platform/database/constraint.ts';
import type { Deps } from '../../platform/deps.ts';
import { countAgentCreated } from '../accounts/usage.service.ts';
import { pinsOf } from '../tools/tools.service.ts';
import { exploreId } from './agents.service.ts';
import { type AgentRow, agents } from './agents.table.ts';
import { checkModel, checkTools } from './check-agent.service.ts';

/** Creates an agent and counts it; 409 where the address is taken. A free user's agent is private, whatever was asked. */
export async function createAgent(ctx: Deps, caller: Caller, input: z.output<typeof agentCreate>) {
  checkModel(ctx, input.model);
  await checkTools(ctx, caller, input.tools, []);
  const toolPins = await pinsOf(ctx, caller.uid, input.tools);
  return insertAgent(ctx, caller, { ...input, toolPins, isPublic: input.isPublic && mayPublish(caller.plan) });
}

type NewAgent = AgentSettings &
  Partial<
    Pick<
      AgentRow,
      'id' | 'slug' | 'isPublic' | 'forkedFromUser' | 'forkedFromAgent' | 'forkBase' | 'toolPins' | 'foreignPrompt'
    >
  >;

/** Stores settings that were checked already as an agent of the caller and counts it; 409 where the address is taken. */
export async function insertAgent(
  ctx: Deps,
  caller: Pick<Caller, 'uid'>,
  agent: NewAgent,
): Promise<Authorized<AgentRow>> {
  const values = { slug: agentSlug(agent.name), id: uuidv7(), ...agent, userId: caller.uid };
  return ctx.db
    .transaction(async (tx) => {
      const [row] = await tx.insert(agents).values(values).returning();
      await countAgentCreated(tx, caller.uid);
      await ctx.live.notify(tx, caller.uid, 'agents', values.id);
      await ctx.live.notify(tx, caller.uid, 'account', caller.uid);
      if (row?.isPublic) await ctx.live.notify(tx, '*', 'explore', exploreId(row));
      return owned(caller.uid, row, 'This agent');
    })
    .catch(asConflict('agents_slug', SENTENCES.agentTaken, 'name'));
}
