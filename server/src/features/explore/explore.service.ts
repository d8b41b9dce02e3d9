import type { ExploreQuery, PublicAgent } from '@atelier/contract/explore';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { decodeRankCursor, page } from '../../platform/http/cursor.ts';
import { toAgent } from '../agents/agents.service.ts';
import { type PublicRow, publicAgentAt, publicAgents, publicAgentsTagged } from './explore.queries.ts';

/** A public agent for the API; only its owner learns whose copy it is. */
export function toPublicAgent({ agent, creatorName, favorited }: PublicRow): PublicAgent {
  const { forkedFrom: _lineage, ...shown } = toAgent(agent);
  return { ...shown, creatorName, favorited };
}

/** A page of public agents, most favorites first, optionally of one tag; or only the one that `only` names. */
export async function listPublicAgents(ctx: Deps, caller: Caller, { tag, only, cursor, limit }: ExploreQuery) {
  if (only !== undefined) {
    const [creatorId = '', agentId = ''] = only.split(/\/(.*)/su, 2);
    const rows = await publicAgentAt(ctx.db, caller.uid, creatorId, agentId);
    return { rows: rows.filter(({ agent }) => !tag || agent.tags.includes(tag)), nextCursor: null };
  }
  const after = decodeRankCursor(cursor);
  const rows = await (tag
    ? publicAgentsTagged(ctx.db, caller.uid, { tag, after, limit: limit + 1 })
    : publicAgents(ctx.db, caller.uid, after, limit + 1));
  return page(rows, limit, ({ agent }) => ({ at: agent.favoriteCount, id: agent.id }));
}

/** The public agent at an author's address; 404 when there is none that everyone may see. */
export async function getPublicAgent(ctx: Pick<Deps, 'db'>, caller: Caller, creatorId: string, agentId: string) {
  const [row] = await publicAgentAt(ctx.db, caller.uid, creatorId, agentId);
  if (row === undefined) throw notFound('This agent');
  return row;
}
