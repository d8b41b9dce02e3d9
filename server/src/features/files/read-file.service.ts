import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../config.ts';
import type { Deps } from '../../platform/deps.ts';
import { type Extracted, extractDocument } from '../../platform/extraction/extract.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import { embedLater } from '../memory/embed.service.ts';
import { raiseMemoryVersion } from '../memory/passages.service.ts';
import { findStuckUploads, findUnread } from './files.queries.ts';
import { notifyFiles, PURGE_FILE_QUEUE, purgeFile, READ_QUEUE, removeFile } from './files.service.ts';
import { type AgentFileRow, agentFiles, filePassages } from './files.table.ts';

const PORTION = 500;
const STUCK_UPLOADING_MINUTES = 15;
const LEFT_LYING_MS = 60 * 60 * 1000;
/** Whoever reads a file says so anew at least this often; a document's own time is up before. */
const HELD_SECONDS = 60;
/** A file that as many readers died of is given up. */
const READINGS_MAX = 3;
/** What can't be opened for so long will not be. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;
const GIVEN_UP = 'This file could not be read. Delete it and upload it again.';

/** Where uploads lie until they are stored. */
export const incomingFolder = (config: Config) => join(config.DATA_DIR, 'files', '.incoming');

/** Declares what the durable jobs of this feature do; call once, before the jobs start. */
export function registerFileJobs(deps: Deps): void {
  deps.jobs.handle<{ userId: string; fileId: string }>(READ_QUEUE, (job) => readFile(deps, job), { retryLimit: 5 });
  deps.jobs.handle<{ userId: string; fileId: string }>(PURGE_FILE_QUEUE, (job) => purgeFile(deps, job), {
    retryLimit: 10,
  });
  deps.jobs.handle('files.sweep', () => sweep(deps), { cron: '* * * * *' });
}

/**
 * Takes the text out of a stored file, in a process of its own, and makes it searchable; a file that can't be read says why. Does
 * nothing while somebody else does it. Throws where the storage or the database fails, and the file waits for the next attempt.
 */
export async function readFile(ctx: Deps, job: { userId: string; fileId: string }): Promise<void> {
  const file = await takeUp(ctx, { userId: job.userId, id: job.fileId });
  if (file === undefined) return;
  if (file.readings > READINGS_MAX) return settle(ctx, file, GIVEN_UP);
  try {
    const { passages } = await extractDocument(file.kind, await ctx.storage.get(file.key));
    if (passages.length === 0) return await settle(ctx, file, 'There is no text in this file.');
    await keepPassages(ctx, file, passages);
  } catch (error) {
    if (error instanceof Unreadable) return settle(ctx, file, error.message);
    if (file.createdAt.getTime() < Date.now() - GIVE_UP_MS) return settle(ctx, file, GIVEN_UP);
    await putBack(ctx, file);
    throw error;
  }
}

/** The file, if it waits to be read and nobody who lives reads it. */
async function takeUp(ctx: Deps, key: { userId: string; id: string }): Promise<AgentFileRow | undefined> {
  const [file] = await ctx.db
    .update(agentFiles)
    .set({ readingUntil: heldUntil, readings: sql`${agentFiles.readings} + 1` })
    .where(
      and(
        eq(agentFiles.userId, key.userId),
        eq(agentFiles.id, key.id),
        eq(agentFiles.state, 'reading'),
        isNull(agentFiles.deletedAt),
        or(isNull(agentFiles.readingUntil), lt(agentFiles.readingUntil, sql`now()`)),
      ),
    )
    .returning();
  return file;
}

const heldUntil = sql`now() + make_interval(secs => ${HELD_SECONDS})`;

/** The file while this reading of it is still the one that counts. */
const stillOurs = (file: AgentFileRow) =>
  and(
    eq(agentFiles.userId, file.userId),
    eq(agentFiles.id, file.id),
    eq(agentFiles.state, 'reading'),
    eq(agentFiles.readings, file.readings),
    isNull(agentFiles.deletedAt),
  );

/** Nobody died: the attempt is not counted. */
const putBack = (ctx: Deps, file: AgentFileRow) =>
  ctx.db
    .update(agentFiles)
    .set({ readingUntil: null, readings: file.readings - 1 })
    .where(stillOurs(file));

/** In portions, for statements are to be short; the file counts as read with the last. */
async function keepPassages(ctx: Deps, file: AgentFileRow, passages: Extracted['passages']): Promise<void> {
  for (let at = 0; at < passages.length; at += PORTION) {
    if (!(await keepPortion(ctx, file, passages.slice(at, at + PORTION), at))) return;
  }
  await settle(ctx, file, null);
}

/** False where somebody else took the file up meanwhile, or it was deleted. */
async function keepPortion(ctx: Deps, file: AgentFileRow, portion: Extracted['passages'], at: number) {
  const { userId, id: fileId, agentId } = file;
  return ctx.db.transaction(async (tx) => {
    const held = await tx
      .update(agentFiles)
      .set({ readingUntil: heldUntil })
      .where(stillOurs(file))
      .returning({ id: agentFiles.id });
    if (held.length === 0) return false;
    // An earlier attempt may have come half-way.
    if (at === 0) {
      await tx.delete(filePassages).where(and(eq(filePassages.userId, userId), eq(filePassages.fileId, fileId)));
    }
    const version = await raiseMemoryVersion(tx, { userId, agentId });
    const rows = portion.map(({ place, text }, i) => ({
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
    return true;
  });
}

async function settle(ctx: Deps, file: AgentFileRow, error: string | null): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(agentFiles)
      .set({ state: error === null ? 'ready' : 'failed', error, readingUntil: null })
      .where(stillOurs(file));
    if (error === null) await embedLater(ctx, tx, file);
    await notifyFiles(ctx, tx, file);
  });
}

/** Clears away what a process that died left half-done, and reads on where it stopped. */
export async function sweep(ctx: Deps): Promise<void> {
  for (const file of await findStuckUploads(ctx.db, STUCK_UPLOADING_MINUTES)) await removeFile(ctx, file);
  await clearIncoming(ctx, LEFT_LYING_MS);
  for (const { userId, id } of await findUnread(ctx.db)) {
    await readFile(ctx, { userId, fileId: id }).catch((error: unknown) =>
      ctx.log.error('files.read', error, { file: id }),
    );
  }
}

/**
 * At the start of a process. The embedded database belongs to one process at a time, so whatever was under way is known to be dead:
 * half-stored uploads are removed and files read from their beginning. Elsewhere the sweep waits for signs of life to run out.
 */
export async function resumeFiles(ctx: Deps): Promise<void> {
  if (ctx.database.kind !== 'pglite') return;
  for (const file of await findStuckUploads(ctx.db, 0)) await removeFile(ctx, file);
  await clearIncoming(ctx, 0);
  await ctx.db.transaction(async (tx) => {
    const waiting = await tx
      .update(agentFiles)
      .set({ readingUntil: null })
      .where(and(eq(agentFiles.state, 'reading'), isNull(agentFiles.deletedAt)))
      .returning({ userId: agentFiles.userId, fileId: agentFiles.id });
    for (const job of waiting) await ctx.jobs.send(tx, READ_QUEUE, job);
  });
}

/** Removes what lies in the folder of uploads for longer than one can take. */
async function clearIncoming(ctx: Deps, olderThanMs: number): Promise<void> {
  const folder = incomingFolder(ctx.config);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - olderThanMs) await rm(path, { force: true });
  }
}
