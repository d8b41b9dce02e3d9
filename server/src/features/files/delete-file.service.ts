import { and, eq, isNull, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import type { Authorized } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import { inPortions, someOf } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { sameFile } from './files.queries.ts';
import { notifyFiles } from './files.service.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';
import { queueOf } from './reading-lanes.ts';

/** The queue that removes a deleted file for good, after the time for undo. */
export const PURGE_FILE_QUEUE = 'files.purge';
// The page offers undo for 5 s; a slow network gets as much again.
export const PURGE_AFTER_SECONDS = 10;

/** Hides the file at once, also from the agent; it is removed from the storage after the time for undo. */
export async function deleteFile(ctx: Deps, file: Authorized<AgentFileRow>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const hidden = await tx
      .update(agentFiles)
      .set({ deletedAt: sql`now()` })
      .where(and(sameFile(file), isNull(agentFiles.deletedAt)))
      .returning({ id: agentFiles.id });
    if (hidden.length === 0) return;
    await sendPurges(ctx, tx, [file]);
    await notifyFiles(ctx, tx, file);
  });
}

const sendPurges = (ctx: Deps, tx: Tx, files: { userId: string; id: string }[]) =>
  ctx.jobs.sendAll(
    tx,
    files.map(({ userId, id }) => ({
      queue: PURGE_FILE_QUEUE,
      data: { userId, fileId: id },
      startAfterSeconds: PURGE_AFTER_SECONDS,
    })),
  );

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
    if (row.state === 'reading') await ctx.jobs.send(tx, queueOf(row), { userId: row.userId, fileId: row.id });
    await notifyFiles(ctx, tx, row);
    return row;
  });
}

/** Deletes a deleted agent's files, in portions. */
export const deleteFilesOfAgent = (ctx: Deps, agent: { userId: string; agentId: string }): Promise<void> =>
  inPortions(ctx.db, async (tx, size) => {
    const { userId, agentId, deletedAt } = agentFiles;
    const which = and(eq(userId, agent.userId), eq(agentId, agent.agentId), isNull(deletedAt));
    const hidden = await tx
      .update(agentFiles)
      .set({ deletedAt: sql`now()` })
      .where(someOf(agentFiles, which, size))
      .returning({ userId, id: agentFiles.id });
    await sendPurges(ctx, tx, hidden);
    return hidden.length;
  });
