import type { LibraryAgent, LibraryQuery } from '@atelier/contract/operator/library';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { decodeRankCursor, page } from '../../platform/http/cursor.ts';
import { unpublishAgent } from '../agents/agents.service.ts';
import { closeReports } from '../explore/reports.service.ts';
import type { ActsContext } from './account-acts.service.ts';
import { type Act, audit } from './audit.service.ts';
import { libraryRows, openReports, publicAgentKey, reportedAgents, searchedAgents } from './library.queries.ts';

/** Reports that are shown of one agent. */
const REPORTS_SHOWN = 20;

/** A page of the public agents: those that were reported, or those that are looked for. Throws 400 for a strange cursor. */
export async function listLibrary(
  { db }: Pick<Deps, 'db'>,
  { search, cursor, limit }: LibraryQuery,
): Promise<{ agents: LibraryAgent[]; nextCursor: string | null }> {
  const after = decodeRankCursor(cursor);
  const isSearch = search !== '';
  const keys = isSearch
    ? await searchedAgents(db, search, after, limit + 1)
    : await reportedAgents(db, after, limit + 1);
  const byId = new Map((keys.length === 0 ? [] : await libraryRows(db, keys)).map((row) => [row.id, row]));
  // One that was unpublished in this moment is left out.
  const agents = keys.flatMap(({ id }) => byId.get(id) ?? []);
  const { rows, nextCursor } = page(agents, limit, (row) => ({
    at: isSearch ? row.favoriteCount : row.reportCount,
    id: row.id,
  }));
  const shown = rows.map(async ({ id, ...row }) => {
    const reports = row.reportCount === 0 ? [] : await openReports(db, { userId: row.creatorId, id }, REPORTS_SHOWN);
    return { ...row, reports: reports.map(({ at, ...report }) => ({ at: at.toISOString(), ...report })) };
  });
  return { agents: await Promise.all(shown), nextCursor };
}

/** An act on a public agent at its address: by which operator (null: by a command on the server's machine), and why. */
interface LibraryAct {
  actorId: string | null;
  creatorId: string;
  agentId: string;
  reason: string;
}

async function findAgent(db: Deps['db'], { creatorId, agentId }: LibraryAct) {
  const [key] = await publicAgentKey(db, creatorId, agentId);
  if (key === undefined) throw notFound('This agent');
  return key;
}

const writes =
  (ctx: ActsContext, act: Act['act'], { actorId, creatorId, reason }: LibraryAct, id: string) =>
  (tx: Tx) =>
    audit(ctx, tx, { actorId, act, subjectId: creatorId, about: id, reason });

/** Closes the reports of an agent that stays public. Returns false where none is open. Throws 404. */
export async function dismissByOperator(ctx: ActsContext, act: LibraryAct): Promise<boolean> {
  const agent = await findAgent(ctx.db, act);
  return ctx.db.transaction(async (tx) => {
    const isClosed = await closeReports(tx, agent);
    if (isClosed) await writes(ctx, 'reports_dismissed', act, agent.id)(tx);
    return isClosed;
  });
}

/** Makes an agent private, closes its reports, and tells its author why. Throws 404 where it is not public. */
export async function unpublishByOperator(ctx: ActsContext, act: LibraryAct): Promise<void> {
  const agent = await findAgent(ctx.db, act);
  const isDone = await unpublishAgent(ctx, agent, act.reason, async (tx) => {
    await closeReports(tx, agent);
    await writes(ctx, 'agent_unpublished', act, agent.id)(tx);
  });
  if (!isDone) throw notFound('This agent');
}
