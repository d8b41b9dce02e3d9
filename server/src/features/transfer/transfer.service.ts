import { AGENT_FILE_FORMAT, AGENT_FILE_VERSION, type AgentFile } from '@atelier/contract/agent-file';
import { DEFAULT_MODEL, settingsOf } from '@atelier/contract/agents';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { insertAgent, offersModel } from '../agents/agents.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { knownTools } from '../tools/tools.service.ts';

/** The agent as a file, see docs/agent-file.md. */
export const exportAgent = (agent: AgentRow): AgentFile => ({
  format: AGENT_FILE_FORMAT,
  version: AGENT_FILE_VERSION,
  agent: settingsOf(agent),
});

/**
 * Stores the agent of a file as the caller's own, private. What this server does not have is left out or replaced, each with a
 * note; its tools are off until the caller turns each on. 409 where its name is taken.
 */
export async function importAgent(ctx: Deps, caller: Caller, file: AgentFile) {
  const notes: string[] = [];
  const known = await knownTools(ctx, caller.uid, file.agent.tools);
  const [here, missing] = [true, false].map((is) => file.agent.tools.filter((tool) => known.has(tool) === is));
  if (here?.length) notes.push(`The file uses these tools, turn on what you trust: ${here.join(', ')}.`);
  if (missing?.length) notes.push(`Not installed here and left out: ${missing.join(', ')}.`);
  const hasModel = offersModel(ctx, file.agent.model);
  if (!hasModel) notes.push(`The model ${file.agent.model} is not offered here; the agent uses ${DEFAULT_MODEL}.`);
  const agent = await insertAgent(ctx, caller, {
    ...file.agent,
    tools: [],
    foreignPrompt: true,
    model: hasModel ? file.agent.model : DEFAULT_MODEL,
  });
  return { agent, notes };
}
