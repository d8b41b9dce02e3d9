import { and, isNotNull, lt, sql } from 'drizzle-orm';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { outageOf } from '../../platform/outage.ts';
import { retryUntil } from '../../platform/retry.ts';
import { PURGE_AFTER_SECONDS } from './delete-file.service.ts';
import { removePassages } from './file-passages.service.ts';
import { findFileByKey, sameFile } from './files.queries.ts';
import { notifyFiles } from './files.service.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';

/** Removes a file that is still deleted: first its bytes, then its row, so a row never loses sight of bytes. */
export async function purgeFile(ctx: Deps, input: { userId: string; fileId: string }): Promise<void> {
  const [row] = await findFileByKey(ctx.db, { userId: input.userId, id: input.fileId });
  // Deleted, restored and deleted again: the later deletion has its own job.
  const due = Date.now() - (PURGE_AFTER_SECONDS - 1) * 1000;
  if (row === undefined || row.deletedAt === null || row.deletedAt.getTime() > due) return;
  await noteDeletion(ctx, { kind: 'file', userId: row.userId, ids: [row.id] });
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

/** Storing an upload takes less, or has failed: see the patience of a bucket. */
export const UPLOAD_MINUTES = 1;
/** The queue that removes bytes of uploads that failed. */
export const UNSTORE_QUEUE = 'files.unstore';

/** How long the database may be away before a file is left to the sweep; the job that reads it ends a little later. */
const AWAY_MS = 10 * 60_000;

/** Repeats what lets a file go until the database takes it: held, it and the account's other files would wait for minutes. */
export const surely = <T>(ctx: Pick<Deps, 'log'>, work: () => PromiseLike<T>): Promise<T> =>
  retryUntil(
    AbortSignal.timeout(AWAY_MS),
    async () => work(),
    (error, attempt) => ctx.log.error('files.waits', error, { attempt }),
    (error) => outageOf(error) !== null,
  );

/** Removes what a failed upload has left. Its sender doesn't wait for a database that is away. */
export async function cleanUp(ctx: Deps, failure: unknown, remove: () => Promise<void>): Promise<void> {
  const removed = surely(ctx, remove).catch((error: unknown) => ctx.log.error('files.remove', error));
  if (outageOf(failure) === null) await removed;
}

/** Removes a file that was never completely stored. */
export const removeFile = (ctx: Deps, row: AgentFileRow): Promise<void> =>
  forgetUpload(ctx, row, async (tx) => {
    await tx.delete(agentFiles).where(sameFile(row));
    await notifyFiles(ctx, tx, row);
  });

/** Removes the row of an upload that failed, at once, as it takes the account's space; and its bytes, as soon as the storage can be reached. */
export async function forgetUpload(
  ctx: Deps,
  { userId, id, key }: Pick<AgentFileRow, 'userId' | 'id' | 'key'>,
  deleteRow: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const isGone = await ctx.storage.delete(key).then(
    () => true,
    (error: unknown) => void ctx.log.error('files.remove', error, { file: id }),
  );
  await ctx.db.transaction(async (tx) => {
    await deleteRow(tx);
    if (!isGone) await ctx.jobs.send(tx, UNSTORE_QUEUE, { userId, key }, { startAfterSeconds: 60 });
  });
}
