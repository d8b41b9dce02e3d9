import type { AgentFileEntry } from '@atelier/contract/files';
import type { PageQuery } from '@atelier/contract/ids';
import { validate as isUuid } from 'uuid';
import { type Authorized, owned } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { decodeCursor, page } from '../../platform/http/cursor.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { findFile, findFiles, findPictures } from './files.queries.ts';
import type { AgentFileRow } from './files.table.ts';

/** A file for the API; `slug` is its agent's address. */
export function toFile(row: AgentFileRow, slug: string): AgentFileEntry {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    url: `/api/agents/${encodeURIComponent(slug)}/files/${row.id}`,
    uploadedAt: row.createdAt.toISOString(),
    size: row.size,
    state: row.state,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.progress === null || row.state !== 'reading' ? {} : { progress: row.progress }),
  };
}

/** A page of an agent's files, newest first. */
export async function listFiles(ctx: Deps, agent: Authorized<AgentRow>, query: PageQuery) {
  const rows = await findFiles(ctx.db, agent, decodeCursor(query.cursor), query.limit + 1);
  return page(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** The agent's file that is not deleted, or 404. */
export async function getFile(ctx: Deps, agent: Authorized<AgentRow>, id: string): Promise<Authorized<AgentFileRow>> {
  const [row] = isUuid(id) ? await findFile(ctx.db, agent, id) : [];
  return owned(agent.userId, row?.deletedAt === null ? row : undefined, 'This file');
}

/** An agent's pictures among these files, in the order of the ids. */
export async function findPictureFiles(
  ctx: Pick<Deps, 'db'>,
  agent: { userId: string; id: string },
  ids: readonly string[],
): Promise<AgentFileRow[]> {
  const rows = await findPictures(ctx.db, agent, ids);
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/** Notifies the user's pages that an agent's files changed. */
export const notifyFiles = (ctx: Deps, tx: Tx, file: { userId: string; agentId: string }) =>
  ctx.live.notify(tx, file.userId, 'files', file.agentId);
