import { readFile, writeFile } from 'node:fs/promises';
import { type AgentFileEntry, FILE_SENTENCES } from '@atelier/contract/files';
import type { PageQuery } from '@atelier/contract/ids';
import { and, eq, isNull, ne, or, type SQL } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { LEAVING } from '../../platform/database/columns.ts';
import type { Tx } from '../../platform/database/database.ts';
import { inPortions } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, page } from '../../platform/http/cursor.ts';
import type { Received } from '../../platform/http/upload.ts';
import { stripMetadata } from '../../platform/pictures/metadata/strip-metadata.ts';
import { pictureType } from '../../platform/pictures/read-picture.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { checkType, shownName } from './file-names.service.ts';
import { findFile, findFiles, findPictures, hideUploads, sameFile, UNDO_SECONDS } from './files.queries.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';
import { laneOf, QUEUES } from './reading.service.ts';
import { purgeDeleted, storeUpload } from './uploads.service.ts';

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
  const [row] = isUuid(id) ? await findFile(ctx.db, { userId: agent.userId, id }) : [];
  const isThere = row?.agentId === agent.id && row.deletedAt === null;
  return owned(agent.userId, isThere ? row : undefined, 'This file');
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

/** Stores a received file as the agent's knowledge, as `storeUpload` does, and schedules its reading. 400 if empty, 415 if unsupported. */
export async function addFile(
  ctx: Deps,
  { uid: userId }: Pick<Caller, 'uid'>,
  agent: Pick<Authorized<AgentRow>, 'id'>,
  received: Received,
  id = uuidv7(),
): Promise<Authorized<AgentFileRow>> {
  const name = shownName(received.name);
  const type = checkType({ ...received, name });
  const pictures = type.kind === 'picture';
  const size = pictures ? await stripPicture(received) : received.size;
  return storeUpload(
    ctx,
    { userId, id, agentId: agent.id, name, size, ...type, pictures },
    received.path,
    async (tx) => {
      const isStored = and(sameFile({ userId, id }), eq(agentFiles.state, 'uploading'));
      const [row] = await tx.update(agentFiles).set({ state: 'reading' }).where(isStored).returning();
      if (row === undefined) return undefined;
      await ctx.jobs.send(tx, QUEUES[laneOf(row)], { userId, fileId: id });
      await ctx.live.notify(tx, row.userId, 'files', row.agentId);
      return row;
    },
  );
}

/**
 * Takes out what a camera noted in a received picture, and returns its size. A bitmap has no such notes and stays as it is; 415 for a picture
 * that can't be followed to its end: what it says of a place couldn't be found.
 */
async function stripPicture({ path, size }: Received): Promise<number> {
  const bytes = await readFile(path);
  const type = pictureType(bytes);
  if (type === null) return size;
  const bare = stripMetadata(type, bytes);
  if (bare === null) throw new AppError('unsupported_type', FILE_SENTENCES.damagedPicture, { field: 'file' });
  await writeFile(path, bare);
  return bare.length;
}

/** The queue that removes a deleted file for good, after the time for undo. */
export const PURGE_FILE_QUEUE = 'files.purge';

/** Hides the file at once, also from the agent; it is removed from the storage after the time for undo. */
export async function deleteFile(ctx: Deps, file: Authorized<AgentFileRow>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if ((await hide(ctx, tx, sameFile(file))) > 0) await ctx.live.notify(tx, file.userId, 'files', file.agentId);
  });
}

/** Deletes a deleted agent's files, in portions. */
export const deleteFilesOfAgent = (ctx: Deps, agent: { userId: string; agentId: string }): Promise<void> =>
  inPortions(ctx.db, (tx, size) =>
    hide(ctx, tx, and(eq(agentFiles.userId, agent.userId), eq(agentFiles.agentId, agent.agentId)), size),
  );

async function hide(ctx: Deps, tx: Tx, which: SQL | undefined, size?: number): Promise<number> {
  const hidden = await hideUploads(tx, agentFiles, which, size);
  const jobs = hidden.map(({ userId, id }) => ({ queue: PURGE_FILE_QUEUE, data: { userId, fileId: id } }));
  await ctx.jobs.sendAll(
    tx,
    jobs.map((job) => ({ ...job, startAfterSeconds: UNDO_SECONDS })),
  );
  return hidden.length;
}

/** Undoes a delete; 404 once the file’s removal has begun. */
export async function restoreFile(ctx: Deps, agent: Authorized<AgentRow>, id: string): Promise<AgentFileRow> {
  if (!isUuid(id)) throw notFound('This file');
  const isOne = and(sameFile({ userId: agent.userId, id }), eq(agentFiles.agentId, agent.id));
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(agentFiles)
      .set({ deletedAt: null, readingUntil: null })
      .where(and(isOne, or(isNull(agentFiles.deletedAt), ne(agentFiles.deletedAt, LEAVING))))
      .returning();
    if (row === undefined) throw notFound('This file');
    // Its reader stopped when it was deleted.
    if (row.state === 'reading') await ctx.jobs.send(tx, QUEUES[laneOf(row)], { userId: row.userId, fileId: row.id });
    await ctx.live.notify(tx, row.userId, 'files', row.agentId);
    return row;
  });
}

/** Removes a file that is still deleted. Deleted, restored and deleted again: the later deletion has its own job. */
export const purgeFile = (ctx: Deps, { userId, fileId }: { userId: string; fileId: string }): Promise<void> =>
  purgeDeleted(ctx, agentFiles, { userId, id: fileId });
