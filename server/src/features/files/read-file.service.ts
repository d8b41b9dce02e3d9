import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, isNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../config.ts';
import type { Deps } from '../../platform/deps.ts';
import { type Extracted, extractDocument } from '../../platform/extraction/extract.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import { raiseMemoryVersion } from '../memory/passages.service.ts';
import { findFileByKey, findStuck } from './files.queries.ts';
import { notifyFiles, PURGE_FILE_QUEUE, purgeFile, READ_QUEUE, removeFile } from './files.service.ts';
import { type AgentFileRow, agentFiles, filePassages } from './files.table.ts';

const PORTION = 500;
const STUCK_UPLOADING_MINUTES = 15;
const STUCK_READING_MINUTES = 60;
const LEFT_LYING_MS = 60 * 60 * 1000;

/** Where uploads lie until they are stored. */
export const incomingFolder = (config: Config) => join(config.DATA_DIR, 'files', '.incoming');

/** Declares what the durable jobs of this feature do; call once, before the jobs start. */
export function registerFileJobs(deps: Deps): void {
  deps.jobs.handle<{ userId: string; fileId: string }>(READ_QUEUE, (job) => readFile(deps, job), { retryLimit: 5 });
  deps.jobs.handle<{ userId: string; fileId: string }>(PURGE_FILE_QUEUE, (job) => purgeFile(deps, job), {
    retryLimit: 10,
  });
  deps.jobs.handle('files.sweep', () => sweep(deps), { cron: '*/10 * * * *' });
}

/** Takes the text out of a stored file, in a process of its own, and makes it searchable; a file that can't be read says why. */
export async function readFile(ctx: Deps, job: { userId: string; fileId: string }): Promise<void> {
  const [file] = await findFileByKey(ctx.db, { userId: job.userId, id: job.fileId });
  if (file === undefined || file.state !== 'reading' || file.deletedAt !== null) return;
  let extracted: Extracted;
  try {
    extracted = await extractDocument(file.kind, await ctx.storage.get(file.key));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return settle(ctx, file, error.message);
  }
  if (extracted.passages.length === 0) return settle(ctx, file, 'There is no text in this file.');
  await keepPassages(ctx, file, extracted);
}

/** In portions, for statements are to be short; the file counts as read with the last. */
async function keepPassages(ctx: Deps, file: AgentFileRow, { passages }: Extracted): Promise<void> {
  const { userId, id: fileId, agentId } = file;
  // An earlier attempt may have come half-way.
  await ctx.db.delete(filePassages).where(and(eq(filePassages.userId, userId), eq(filePassages.fileId, fileId)));
  for (let at = 0; at < passages.length; at += PORTION) {
    await ctx.db.transaction(async (tx) => {
      const version = await raiseMemoryVersion(tx, { userId, agentId });
      const rows = passages.slice(at, at + PORTION).map(({ place, text }, i) => ({
        userId,
        id: uuidv7(),
        fileId,
        agentId,
        place,
        text,
        position: at + i,
        version,
      }));
      await tx.insert(filePassages).values(rows);
    });
  }
  await settle(ctx, file, null);
}

async function settle(ctx: Deps, file: AgentFileRow, error: string | null): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(agentFiles)
      .set({ state: error === null ? 'ready' : 'failed', error })
      .where(
        and(
          eq(agentFiles.userId, file.userId),
          eq(agentFiles.id, file.id),
          eq(agentFiles.state, 'reading'),
          isNull(agentFiles.deletedAt),
        ),
      );
    await notifyFiles(ctx, tx, file);
  });
}

/** Clears away what a process that died left half-done. */
export async function sweep(ctx: Deps): Promise<void> {
  for (const file of await findStuck(ctx.db, 'uploading', STUCK_UPLOADING_MINUTES)) await removeFile(ctx, file);
  for (const file of await findStuck(ctx.db, 'reading', STUCK_READING_MINUTES)) {
    await settle(ctx, file, 'This file could not be read. Delete it and upload it again.');
  }
  const folder = incomingFolder(ctx.config);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - LEFT_LYING_MS) await rm(path, { force: true });
  }
}
