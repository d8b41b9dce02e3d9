import { AGENT_LIMITS, DEFAULT_MODEL, UNNAMED_AGENT } from '@atelier/contract/agents';
import type { AgentFile } from '@atelier/contract/agents/agent-file';
import { fitName } from '@atelier/contract/names/names';
import type { Caller } from '../../access.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { insertAgent, offersModel, usualModel } from '../agents/agents.service.ts';
import { findExistingTools } from '../tools/tools.service.ts';
import { type Archive, readAgent } from './archive.ts';
import { deletedAgentRow } from './archive-rows.ts';
import { findAgent, insertDeletedAgent } from './import-ids.queries.ts';
import type { IdScope } from './import-ids.ts';
import { Halted, type Progress } from './import-progress.service.ts';

/** How often a name may be taken. */
const NAMES = 50;

/** The agent of another program's export: one that the person chose, or the one that the archive has. */
export interface AgentOfPast {
  importId: string;
  agentId: string | null;
  /** Called before an agent is made. */
  noteMade: (id: string) => Promise<void>;
}

/** Creates the agents that are still to come, and returns where each agent of the archive is here. */
export async function importAgents(ctx: Deps, uid: string, archive: Archive, progress: Progress, past?: AgentOfPast) {
  const agents = new Map<string, IdScope>();
  const done = progress.row().partsDone > 0 ? Number.POSITIVE_INFINITY : progress.row().rowsDone;
  for (const [index, [source, part]] of [...archive.agents].entries()) {
    const { id, isSame, state } = await getScope(ctx, uid, source, past);
    const scope = { id, isSame, ...(past && { importId: past.importId }) };
    if (state === 'living') agents.set(source, scope);
    if (index >= done) {
      const file = state === 'free' ? await readAgent(part) : null;
      if (file !== null) await past?.noteMade(id);
      const notes = file === null ? null : await createAgent(ctx, uid, source, { ...file, id });
      if (notes !== null) agents.set(source, scope);
      const outcome = notes !== null ? 'imported' : state === 'living' ? 'present' : 'left';
      await progress.step('agents', 1, async () => ({ [outcome]: 1, notes: notes ?? [] }));
    }
  }
  await addDeletedAgents(ctx, uid, archive, agents);
  if (progress.row().partsDone === 0) await progress.endPart('agents');
  return agents;
}

/** Where an agent of the archive is, or is to be. Throws 404 when the one that the person chose was deleted meanwhile. */
async function getScope(ctx: Deps, uid: string, source: string, past?: AgentOfPast) {
  if (past === undefined || past.agentId === null) return findAgent(ctx.db, uid, source);
  const chosen = await findAgent(ctx.db, uid, past.agentId);
  if (!chosen.isSame || chosen.state !== 'living') throw notFound('The agent that you chose');
  return { ...chosen, isSame: false };
}

/** Stores an agent under its name, or under the first free one like it; returns what the person should know, null where none has room. */
async function createAgent(ctx: Deps, uid: string, source: string, file: AgentFile & { id: string }) {
  const { name } = file.agent;
  for (let n = 1; n <= NAMES; n += 1) {
    const free = n === 1 ? name : `${fitName(name, AGENT_LIMITS.name - 5, UNNAMED_AGENT)} (${n})`;
    try {
      const { notes } = await importAgent(ctx, { uid }, { ...file, agent: { ...file.agent, name: free } }, file.id);
      const renamed = n === 1 ? [] : [`“${name}” was taken, so the agent is called “${free}”.`];
      return [...renamed, ...notes.map((note) => `${free}: ${note}`)];
    } catch (error) {
      if (violates(error, 'agents_user_id_id_pk')) throw new Halted();
      if (error instanceof AppError && error.code === 'limit_reached') return null;
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      // Another job for this import may have been faster.
      if ((await findAgent(ctx.db, uid, source)).state === 'living') throw new Halted();
    }
  }
  throw new Error(`the account has ${NAMES} agents of one name`);
}

/** Agents that were deleted there stand for their sessions, here as there. */
async function addDeletedAgents(ctx: Deps, uid: string, archive: Archive, agents: Map<string, IdScope>) {
  for await (const rows of archive.rows('agents.json', true)) {
    for (const row of rows) {
      const agent = deletedAgentRow.safeParse(row).data;
      if (agent === undefined || agents.has(agent.id)) continue;
      const { id, isSame, state } = await findAgent(ctx.db, uid, agent.id, true);
      if (state === 'free') await insertDeletedAgent(ctx.db, { userId: uid, id, name: agent.name, slug: agent.slug });
      agents.set(agent.id, { id, isSame });
    }
  }
}

/**
 * Stores the agent of a file as the caller's own, private. What this server does not have is left out or replaced, each with a
 * note; its tools are off until the caller turns each on. 409 where its name is taken. `id` is its hidden key, if it has one already.
 */
export async function importAgent(ctx: Deps, caller: Pick<Caller, 'uid'>, file: AgentFile, id?: string) {
  const notes: string[] = [];
  const existing = await findExistingTools(ctx, caller.uid, file.agent.tools);
  const [here, missing] = [true, false].map((is) => file.agent.tools.filter((tool) => existing.has(tool) === is));
  if (here?.length) notes.push(`The file uses these tools, turn on what you trust: ${here.join(', ')}.`);
  if (missing?.length) notes.push(`Not installed here and left out: ${missing.join(', ')}.`);
  const hasModel = offersModel(ctx, file.agent.model);
  const answers = ctx.models.standIn() ?? DEFAULT_MODEL;
  const model = hasModel ? file.agent.model : usualModel(ctx);
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
