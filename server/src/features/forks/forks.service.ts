import { type AgentSettings, cleanSettings, NEW_AGENT, settingsOf } from '@atelier/contract/agents';
import { forkField, type Upstream, type UpstreamChange, type UpstreamTake } from '@atelier/contract/forks';
import { agentSlug } from '@atelier/contract/ids';
import type { Authorized, Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { insertAgent, toAgent, writeAgent } from '../agents/agents.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { visibleOriginal } from './forks.queries.ts';

/**
 * Makes the caller's own copy of an agent that they may see: private, without favorites, with all the settings and none of the
 * memories or files. Its id is the original's with the time. Its tools are off until the caller turns each on.
 */
export async function copyAgent(ctx: Deps, caller: Caller, original: AgentRow): Promise<Authorized<AgentRow>> {
  const settings = cleanSettings(settingsOf(original));
  const fork = {
    ...settings,
    tools: [],
    foreignPrompt: original.foreignPrompt || original.userId !== caller.uid,
    forkedFromUser: original.userId,
    forkedFromAgent: original.id,
    forkBase: baseOf(original),
  };
  // Two copies within one millisecond would ask for the same address; the later one takes the next.
  for (let time = Date.now(); ; time += 1) {
    try {
      return await insertAgent(ctx, caller, { ...fork, slug: `${agentSlug(settings.name)}-${time}` });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    }
  }
}

const baseOf = (original: AgentRow) => ({ ...settingsOf(original), slug: original.slug });

/** How the caller's copy stands to its original: what its author changed since the copy was made or last brought up to date. */
export async function getUpstream(ctx: Deps, copy: Authorized<AgentRow>): Promise<Upstream> {
  const nothing = { creatorName: null, changes: [], addsTools: [], seen: null };
  const { forkedFrom } = toAgent(copy);
  if (copy.forkBase === null) return { state: 'none', forkedFrom, ...nothing };
  const original = await findOriginal(ctx, copy);
  if (original === undefined) return { state: 'gone', forkedFrom, ...nothing };
  const changes = changesBetween(settingsOf(copy), { ...NEW_AGENT, ...copy.forkBase }, settingsOf(original.agent));
  const toolIds = [...copy.forkBase.tools, ...copy.tools];
  const addsTools = original.agent.tools.filter((tool) => !toolIds.includes(tool));
  return {
    state: changes.length > 0 || addsTools.length > 0 ? 'changed' : 'same',
    forkedFrom,
    creatorName: original.creatorName,
    changes,
    addsTools,
    seen: original.agent.updatedAt.toISOString(),
  };
}

/**
 * Takes over the named fields of the original as the caller saw it, and counts the rest as looked at. 409 where it changed once
 * more since, 404 where there is no original to be seen. No tool is ever turned on by this.
 */
export async function takeOverUpstream(ctx: Deps, caller: Caller, copy: Authorized<AgentRow>, take: UpstreamTake) {
  const original = copy.forkBase === null ? undefined : (await findOriginal(ctx, copy))?.agent;
  if (original === undefined) throw notFound('The original of this agent');
  if (original.updatedAt.toISOString() !== take.seen) {
    throw new AppError('conflict', 'The original has changed again. Look at the difference once more.', {
      field: 'seen',
    });
  }
  const settings = cleanSettings(settingsOf(original));
  const changes = Object.fromEntries(take.fields.map((field) => [field, settings[field]]));
  return writeAgent(ctx, caller, copy, { ...changes, forkBase: baseOf(original) });
}

async function findOriginal(ctx: Deps, { forkedFromUser, forkedFromAgent }: AgentRow) {
  if (forkedFromUser === null || forkedFromAgent === null) return undefined;
  const [row] = await visibleOriginal(ctx.db, forkedFromUser, forkedFromAgent);
  return row;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What the original has that it had not at the base, where the copy has it not already. */
function changesBetween(copy: AgentSettings, base: AgentSettings, original: AgentSettings): UpstreamChange[] {
  return forkField.options
    .filter((f) => !same(original[f], base[f]) && !same(original[f], copy[f]))
    .map((field) => ({
      field,
      yours: copy[field],
      theirs: original[field],
    }));
}
