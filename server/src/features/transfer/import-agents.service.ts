import { AGENT_LIMITS, UNNAMED_AGENT } from '@atelier/contract/agents';
import type { AgentFile } from '@atelier/contract/agents/agent-file';
import { fitName } from '@atelier/contract/names/names';
import { violates } from '../../platform/database/constraint.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Archive } from './archive/archive.ts';
import { deletedAgentRow } from './archive/archive-rows.ts';
import { readAgent } from './archive/survey.ts';
import { type AgentPlace, isHere, placeAgent } from './import-places.queries.ts';
import { Halted, type Progress } from './import-progress.service.ts';
import { insertDeletedAgent } from './rows/deleted-agent.queries.ts';
import { importAgent } from './transfer.service.ts';

/** How often a name may be taken. */
const NAMES = 50;

/** Creates the agents that are still to come, and returns where each agent of the archive is here. */
export async function importAgents(ctx: Deps, uid: string, archive: Archive, progress: Progress) {
  const places = new Map<string, AgentPlace>();
  const done = progress.row.partsDone > 0 ? Number.POSITIVE_INFINITY : progress.row.rowsDone;
  let index = 0;
  for (const [source, part] of archive.agents) {
    const { id, isSame, state } = await placeAgent(ctx.db, uid, source);
    if (state === 'living') places.set(source, { id, isSame });
    if (index >= done) {
      const file = state === 'free' ? await readAgent(part) : null;
      const notes = file === null ? [] : await createAgent(ctx, uid, file, id);
      if (file !== null) places.set(source, { id, isSame });
      const present = state === 'living' ? 1 : 0;
      const imported = file === null ? 0 : 1;
      await progress.step('agents', 1, async () => ({ imported, present, left: 1 - present - imported }), notes);
    }
    index += 1;
  }
  await placeDeleted(ctx, uid, archive, places);
  if (progress.row.partsDone === 0) await progress.endPart('agents');
  return places;
}

/** Stores an agent under its name, or under the first free one like it; returns what the person should know. */
async function createAgent(ctx: Deps, uid: string, file: AgentFile, id: string): Promise<string[]> {
  const { name } = file.agent;
  for (let n = 1; n <= NAMES; n += 1) {
    const free = n === 1 ? name : `${fitName(name, AGENT_LIMITS.name - 5, UNNAMED_AGENT)} (${n})`;
    try {
      const { notes } = await importAgent(ctx, { uid }, { ...file, agent: { ...file.agent, name: free } }, id);
      const renamed = n === 1 ? [] : [`“${name}” was taken, so the agent is called “${free}”.`];
      return [...renamed, ...notes.map((note) => `${free}: ${note}`)];
    } catch (error) {
      if (violates(error, 'agents_user_id_id_pk')) throw new Halted();
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      // Another job for this import may have been faster.
      if (await isHere(ctx.db, uid, id)) throw new Halted();
    }
  }
  throw new Error(`the account has ${NAMES} agents of one name`);
}

/** Agents that were deleted there stand for their sessions, here as there. */
async function placeDeleted(ctx: Deps, uid: string, archive: Archive, places: Map<string, AgentPlace>) {
  for await (const rows of archive.rows('deleted agents')) {
    for (const row of rows) {
      const parsed = deletedAgentRow.safeParse(row);
      if (!parsed.success || places.has(parsed.data.id)) continue;
      const { id, isSame, state } = await placeAgent(ctx.db, uid, parsed.data.id, true);
      if (state === 'free') await insertDeletedAgent(ctx.db, { userId: uid, id, ...names(parsed.data) });
      places.set(parsed.data.id, { id, isSame });
    }
  }
}

const names = ({ name, slug }: { name: string; slug: string }) => ({ name, slug });
