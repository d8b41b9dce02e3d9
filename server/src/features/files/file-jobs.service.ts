import { and, eq, isNull } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { PURGE_FILE_QUEUE, purgeFile } from './delete-file.service.ts';
import { agentFiles } from './files.table.ts';
import { READERS, readWaiting } from './read-file.service.ts';
import { isWaiting, LANES, laneOf, QUEUES } from './reading.service.ts';
import { clearUploads, UNSTORE_QUEUE } from './uploads.service.ts';

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerFileJobs(deps: Deps): void {
  for (const lane of LANES) {
    deps.jobs.handle(QUEUES[lane], () => readWaiting(deps, lane), { retryLimit: 5, atOnce: READERS[lane] });
  }
  deps.jobs.handle<{ userId: string; fileId: string }>(PURGE_FILE_QUEUE, (job) => purgeFile(deps, job), {
    retryLimit: 10,
  });
  deps.jobs.handle<{ key: string }>(UNSTORE_QUEUE, ({ key }) => deps.storage.delete(key), { retryLimit: 10 });
  deps.jobs.handle('files.sweep', () => sweep(deps), { cron: '* * * * *' });
}

/** Removes what a dead process left unfinished, and continues reading. */
export async function sweep(ctx: Deps): Promise<void> {
  await clearUploads(ctx);
  await readWaiting(ctx).catch((error: unknown) => ctx.log.error('files.read', error));
  // Recognition takes minutes, for which the sweep doesn't wait.
  if (ctx.fileReaders.pictures === 0 && (await isWaiting(ctx, 'pictures'))) {
    await ctx.db.transaction((tx) => ctx.jobs.send(tx, QUEUES.pictures, {}));
  }
}

/**
 * Runs at the start of a process. The embedded database belongs to one process at a time, so unfinished work is known to be dead:
 * incomplete uploads are removed and files are read from their beginning. Elsewhere the sweep waits for signs of life to expire.
 */
export async function resumeFiles(ctx: Deps): Promise<void> {
  if (ctx.database.kind !== 'pglite') return;
  await clearUploads(ctx, 0, 0);
  await ctx.db.transaction(async (tx) => {
    const waiting = await tx
      .update(agentFiles)
      .set({ readingUntil: null })
      .where(and(eq(agentFiles.state, 'reading'), isNull(agentFiles.deletedAt)))
      .returning({ pictures: agentFiles.pictures });
    // A job reads everything that waits in its lane, so as many jobs as readers are enough.
    const jobs = LANES.flatMap((lane) => {
      const files = waiting.filter((file) => laneOf(file) === lane);
      return files.slice(0, READERS[lane]).map(() => ({ queue: QUEUES[lane], data: {} }));
    });
    await ctx.jobs.sendAll(tx, jobs);
  });
}
