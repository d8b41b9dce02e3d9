import { DEFAULT_MODEL } from '@atelier/contract/agents';
import type { AgentFile } from '@atelier/contract/agents/agent-file';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { offersModel } from '../agents/check-agent.service.ts';
import { insertAgent } from '../agents/create-agent.service.ts';
import { knownTools } from '../tools/tools.service.ts';

/**
 * Stores the agent of a file as the caller's own, private. What this server does not have is left out or replaced, each with a
 * note; its tools are off until the caller turns each on. 409 where its name is taken. `id` is its hidden key, if it has one already.
 */
export async function importAgent(ctx: Deps, caller: Pick<Caller, 'uid'>, file: AgentFile, id?: string) {
  const notes: string[] = [];
  const known = await knownTools(ctx, caller.uid, file.agent.tools);
  const [here, missing] = [true, false].map((is) => file.agent.tools.filter((tool) => known.has(tool) === is));
  if (here?.length) notes.push(`The file uses these tools, turn on what you trust: ${here.join(', ')}.`);
  if (missing?.length) notes.push(`Not installed here and left out: ${missing.join(', ')}.`);
  const hasModel = offersModel(ctx, file.agent.model);
  const model = hasModel ? file.agent.model : DEFAULT_MODEL;
  const answers = ctx.models.standIn() ?? DEFAULT_MODEL;
  if (!hasModel) notes.push(`The model ${file.agent.model} is not offered here; the agent uses ${answers}.`);
  const agent = await insertAgent(ctx, caller, {
    ...file.agent,
    ...(id === undefined ? {} : { id }),
    tools: [],
    foreignPrompt: true,
    model,
  });
  return { agent, notes };
}
