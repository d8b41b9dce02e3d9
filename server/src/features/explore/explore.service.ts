import type { ExploreQuery, PublicAgent } from '@atelier/contract/explore';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { decodeCursor, decodeRankCursor, page } from '../../platform/http/cursor.ts';
import { toAgent } from '../agents/agents.service.ts';
import { type PublicRow, popularTags, publicAgentAt, publicAgents } from './explore.queries.ts';

/** A public agent for the API; only its owner learns whose copy it is, and what an operator said of it. */
export function toPublicAgent({ agent, ...more }: PublicRow): PublicAgent {
  const { forkedFrom: _lineage, unpublishedReason: _past, ...shown } = toAgent(agent);
  return { ...shown, ...more };
}

/** A page of the public agents that are looked for, most favorites or newest first; or only the one that `only` names. */
export async function listPublicAgents({ db }: Deps, { uid }: Caller, query: ExploreQuery) {
  const { only, cursor, limit, ...looked } = query;
  if (only !== undefined) {
    const [creatorId = '', agentId = ''] = only.split(/\/(.*)/su, 2);
    return { rows: await publicAgentAt(db, uid, creatorId, agentId, looked), nextCursor: null };
  }
  const isNew = looked.sort === 'new';
  const after = isNew ? decodeCursor(cursor) : decodeRankCursor(cursor);
  const rows = await publicAgents(db, uid, { ...looked, after, limit: limit + 1 });
  return page(rows, limit, ({ agent: { id, createdAt, favoriteCount } }) =>
    isNew ? { at: createdAt, id } : { at: favoriteCount, id },
  );
}

const SHOWN_TAGS = 10;
/** How many agents are asked for their tags, so that the answer costs the same however many there are. */
const ASKED_FOR_TAGS = 500;

/** The tags that most of the popular public agents have, most used first. */
export async function listPublicTags({ db }: Deps): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const tag of (await popularTags(db, ASKED_FOR_TAGS)).flatMap(({ tags }) => tags)) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const mostUsed = [...counts].sort(([a, many], [b, others]) => others - many || (a < b ? -1 : 1));
  return mostUsed.slice(0, SHOWN_TAGS).map(([tag]) => tag);
}

/** The public agent at an author's address; 404 when there is none that everyone may see. */
export async function getPublicAgent(ctx: Pick<Deps, 'db'>, caller: Caller, creatorId: string, agentId: string) {
  const [row] = await publicAgentAt(ctx.db, caller.uid, creatorId, agentId);
  if (row === undefined) throw notFound('This agent');
  return row;
}
