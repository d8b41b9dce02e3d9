import { and, eq, isNull } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { embedJobs } from '../memory/embed.service.ts';
import { sameFile } from './files.queries.ts';
import { notifyFiles } from './files.service.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';
import { QUEUES } from './reading-lanes.ts';

export const GIVEN_UP = 'This file could not be read. Delete it and upload it again.';

/** The file waits for the reader that recognizes text in pictures; its readings begin again. */
export async function leaveToRecognition(ctx: Deps, file: AgentFileRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(agentFiles)
      .set({ pictures: true, progress: 'waiting for text recognition', readingUntil: null, readings: 0 })
      .where(stillOurs(file));
    await ctx.jobs.send(tx, QUEUES.pictures, {});
    await notifyFiles(ctx, tx, file);
  });
}

/** The file, while this reading of it is the current one. */
export const stillOurs = (file: AgentFileRow) =>
  and(
    sameFile(file),
    eq(agentFiles.state, 'reading'),
    eq(agentFiles.readings, file.readings),
    isNull(agentFiles.deletedAt),
  );

/** No reader died, so the attempt doesn't count. */
export const putBack = (ctx: Deps, file: AgentFileRow) =>
  ctx.db
    .update(agentFiles)
    .set({ readingUntil: null, readings: file.readings - 1 })
    .where(stillOurs(file));

/** Stores what became of a reading; a file that was read is searchable from now on. */
export async function finishRead(
  ctx: Deps,
  file: AgentFileRow,
  end: { error: string } | { note: string | null },
): Promise<void> {
  const ready = 'note' in end;
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(agentFiles)
      .set({ state: ready ? 'ready' : 'failed', readingUntil: null, progress: null, ...end })
      .where(stillOurs(file));
    if (ready) await ctx.jobs.sendAll(tx, embedJobs(ctx, file));
    await notifyFiles(ctx, tx, file);
  });
}
