import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import type { Authorized } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import type { Tx } from '../../platform/database/database.ts';
import { inPortions, someOf } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { findFile, sameFile } from './files.queries.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';
import { laneOf, QUEUES } from './reading.service.ts';
import { purgeUpload } from './uploads.service.ts';

/** The queue that removes a deleted file for good, after the time for undo. */
export const PURGE_FILE_QUEUE = 'files.purge';
// The page offers undo for 5 s; a slow network gets as much again.
const PURGE_AFTER_SECONDS = 10;

/** Hides the file at once, also from the agent; it is removed from the storage after the time for undo. */
export async function deleteFile(ctx: Deps, file: Authorized<AgentFileRow>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if ((await hide(ctx, tx, and(sameFile(file), isNull(agentFiles.deletedAt)))) > 0)
      await ctx.live.notify(tx, file.userId, 'files', file.agentId);
  });
}

/** Deletes a deleted agent's files, in portions. */
export const deleteFilesOfAgent = (ctx: Deps, agent: { userId: string; agentId: string }): Promise<void> =>
  inPortions(ctx.db, (tx, size) => {
    const { userId, agentId, deletedAt } = agentFiles;
    const which = and(eq(userId, agent.userId), eq(agentId, agent.agentId), isNull(deletedAt));
    return hide(ctx, tx, someOf(agentFiles, which, size));
  });

async function hide(ctx: Deps, tx: Tx, which: SQL | undefined): Promise<number> {
  const hidden = await tx
    .update(agentFiles)
    .set({ deletedAt: sql`now()` })
    .where(which)
    .returning({ userId: agentFiles.userId, fileId: agentFiles.id });
  const startAfterSeconds = PURGE_AFTER_SECONDS;
  await ctx.jobs.sendAll(
    tx,
    hidden.map((data) => ({ queue: PURGE_FILE_QUEUE, data, startAfterSeconds })),
  );
  return hidden.length;
}

/** Undoes a delete; 404 once the file is gone for good. */
export async function restoreFile(ctx: Deps, agent: Authorized<AgentRow>, id: string): Promise<AgentFileRow> {
  if (!isUuid(id)) throw notFound('This file');
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(agentFiles)
      .set({ deletedAt: null, readingUntil: null })
      .where(and(sameFile({ userId: agent.userId, id }), eq(agentFiles.agentId, agent.id)))
      .returning();
    if (row === undefined) throw notFound('This file');
    // Its reader stopped when it was deleted.
    if (row.state === 'reading') await ctx.jobs.send(tx, QUEUES[laneOf(row)], { userId: row.userId, fileId: row.id });
    await ctx.live.notify(tx, row.userId, 'files', row.agentId);
    return row;
  });
}

/** Removes a file that is still deleted. */
export async function purgeFile(ctx: Deps, input: { userId: string; fileId: string }): Promise<void> {
  const [row] = await findFile(ctx.db, { userId: input.userId, id: input.fileId });
  // Deleted, restored and deleted again: the later deletion has its own job.
  const due = Date.now() - (PURGE_AFTER_SECONDS - 1) * 1000;
  if (row === undefined || row.deletedAt === null || row.deletedAt.getTime() > due) return;
  await noteDeletion(ctx, { kind: 'file', userId: row.userId, ids: [row.id] });
  await purgeUpload(ctx, row, PURGE_AFTER_SECONDS - 2);
}
