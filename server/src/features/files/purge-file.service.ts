import { and, isNotNull, lt, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { PURGE_AFTER_SECONDS } from './delete-file.service.ts';
import { removePassages } from './file-passages.service.ts';
import { findFileByKey, sameFile } from './files.queries.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';

/** Removes a file that is still deleted: first its bytes, then its row, so a row never loses sight of bytes. */
export async function purgeFile(ctx: Deps, input: { userId: string; fileId: string }): Promise<void> {
  const [row] = await findFileByKey(ctx.db, { userId: input.userId, id: input.fileId });
  // Deleted, restored and deleted again: the later deletion has its own job.
  const due = Date.now() - (PURGE_AFTER_SECONDS - 1) * 1000;
  if (row === undefined || row.deletedAt === null || row.deletedAt.getTime() > due) return;
  await ctx.storage.delete(row.key);
  await removePassages(ctx, row);
  await ctx.db
    .delete(agentFiles)
    .where(
      and(
        sameFile(row),
        isNotNull(agentFiles.deletedAt),
        lt(agentFiles.deletedAt, sql`now() - make_interval(secs => ${PURGE_AFTER_SECONDS - 2})`),
      ),
    );
}

/** Removes a file that was never completely stored; if the storage fails, the file is hidden and the sweep tries again. */
export async function removeFile(ctx: Deps, row: AgentFileRow): Promise<void> {
  try {
    await ctx.storage.delete(row.key);
  } catch (error) {
    ctx.log.error('files.remove', error, { file: row.id });
    await ctx.db.update(agentFiles).set({ deletedAt: sql`now()` }).where(sameFile(row));
    return;
  }
  await ctx.db.delete(agentFiles).where(sameFile(row));
}
