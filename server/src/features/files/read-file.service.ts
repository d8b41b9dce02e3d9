import { readdir, rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { and, eq, isNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../config.ts';
import type { Deps } from '../../platform/deps.ts';
import { type Extracted, extractDocument } from '../../platform/extraction/extract.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import { embedJobs } from '../memory/embed.service.ts';
import { raiseMemoryVersion } from '../memory/passages.service.ts';
import { findStuckUploads } from './files.queries.ts';
import { notifyFiles, PURGE_FILE_QUEUE, purgeFile, QUEUES, removeFile } from './files.service.ts';
import { type AgentFileRow, agentFiles, filePassages } from './files.table.ts';
import { isPicture, wordsOfName } from './picture-files.service.ts';
import { heldUntil, isWaiting, LANES, type Lane, letGo, takeNextFile } from './reading-turn.service.ts';

/** How many passages one statement stores: everyone waits for it on the embedded database. */
const PORTION = 50;
const STUCK_UPLOADING_MINUTES = 15;
const LEFT_LYING_MS = 60 * 60 * 1000;
/** How long all sentences about a file may be. */
const NOTE_MAX = 2_000;
/** A file is given up after this many readers died on it. */
const READINGS_MAX = 3;
/** A file that can't be opened for this long never will be. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;
const GIVEN_UP = 'This file could not be read. Delete it and upload it again.';
/** How many files a process reads at once; at least two, so that one slow file never blocks everyone else's. */
const READERS: Record<Lane, number> = { texts: Math.min(4, Math.max(2, availableParallelism())), pictures: 1 };
/** How long a document may take, and one whose pictures of text are recognized. */
const READING_MS: Record<Lane, number> = { texts: 60_000, pictures: 10 * 60_000 };
/** How often a page learns how far a reader is. */
const PROGRESS_MS = 1_000;
/** After this long a job makes way for the next, well before the queue would count it as lost. */
const JOB_MS = 4 * 60 * 1000;

/** The folder of uploads that are not stored yet. */
export const incomingFolder = (config: Config) => join(config.DATA_DIR, 'files', '.incoming');

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerFileJobs(deps: Deps): void {
  for (const lane of LANES) {
    deps.jobs.handle(QUEUES[lane], () => readWaiting(deps, lane), { retryLimit: 5, atOnce: READERS[lane] });
  }
  deps.jobs.handle<{ userId: string; fileId: string }>(PURGE_FILE_QUEUE, (job) => purgeFile(deps, job), {
    retryLimit: 10,
  });
  deps.jobs.handle('files.sweep', () => sweep(deps), { cron: '* * * * *' });
}

declare module '../../platform/deps.ts' {
  interface Deps {
    /** How many file readers are working in this process, by lane. */
    fileReaders: Record<Lane, number>;
  }
}

/**
 * Reads waiting files of a lane one after another: at most one file of an account at a time, and the account served longest ago first. Does
 * nothing when enough readers are working in this process. Throws storage and database errors after every file had its turn; those files
 * wait for the next attempt.
 */
export async function readWaiting(ctx: Deps, lane: Lane = 'texts'): Promise<void> {
  const readers = ctx.fileReaders;
  if (readers[lane] >= READERS[lane]) return;
  readers[lane] += 1;
  try {
    await readInTurn(ctx, lane, Date.now() + JOB_MS);
  } finally {
    readers[lane] -= 1;
  }
}

async function readInTurn(ctx: Deps, lane: Lane, until: number): Promise<void> {
  const tried: string[] = [];
  const failures: unknown[] = [];
  while (Date.now() < until) {
    const file = await takeNextFile(ctx, tried, lane);
    if (file === undefined) break;
    tried.push(file.id);
    await readFile(ctx, file).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  // Out of time with files left: another job continues.
  if (Date.now() >= until) await ctx.db.transaction((tx) => ctx.jobs.send(tx, QUEUES[lane], {}));
}

/** Reads a stored file's text in a separate process and makes it searchable; a file that can't be read says why. */
async function readFile(ctx: Deps, file: AgentFileRow): Promise<void> {
  if (file.readings > READINGS_MAX) return finishRead(ctx, file, { error: GIVEN_UP });
  const progress = tellProgress(ctx, file);
  try {
    const read = await extractDocument(file.kind, await ctx.storage.get(file.key), {
      timeoutMs: READING_MS[file.pictures ? 'pictures' : 'texts'],
      recognize: file.pictures ? 'now' : 'later',
      onProgress: progress.tell,
    });
    if (read.pictures) return await leaveToRecognition(ctx, file);
    if (read.passages.length === 0) return await finishRead(ctx, file, { error: 'There is no text in this file.' });
    await keepPassages(ctx, file, read.passages, progress.tell);
    await progress.stored();
    await finishRead(ctx, file, { note: noteOf(read) });
  } catch (error) {
    if (error instanceof Unreadable) return await keepPicture(ctx, file, error.message);
    if (file.createdAt.getTime() < Date.now() - GIVE_UP_MS) return finishRead(ctx, file, { error: GIVEN_UP });
    await putBack(ctx, file);
    throw error;
  } finally {
    await progress.stored();
    await letGo(ctx, file);
  }
}

/** A picture without text is there for models that see, and found by its name; everything else that can't be read has failed. */
async function keepPicture(ctx: Deps, file: AgentFileRow, why: string): Promise<void> {
  const isShown = file.kind === 'picture' && (await isPicture(ctx, file));
  if (!isShown) return finishRead(ctx, file, { error: why });
  await keepPassages(ctx, file, [{ place: 'picture', text: wordsOfName(file.name) }], () => {});
  await finishRead(ctx, file, { note: `${why} Models that see look at it when a message is about its name.` });
}

function noteOf({ only, notes }: Pick<Extracted, 'only' | 'notes'>): string | null {
  const sentences = [...(only === null ? [] : [`Only the first ${only} were read.`]), ...notes];
  return sentences.length === 0 ? null : sentences.join(' ').slice(0, NOTE_MAX);
}

/** Stores how far a reader is, for open pages and as a sign of life. The file counts, not its progress: errors are only logged. */
function tellProgress(ctx: Deps, file: AgentFileRow) {
  let [last, storing] = [0, Promise.resolve()];
  const store = (progress: string) =>
    ctx.db.transaction(async (tx) => {
      await tx.update(agentFiles).set({ progress, readingUntil: heldUntil }).where(stillOurs(file));
      await notifyFiles(ctx, tx, file);
    });
  return {
    tell(progress: string) {
      if (Date.now() - last < PROGRESS_MS) return;
      last = Date.now();
      storing = storing.then(() => store(progress)).catch((error: unknown) => ctx.log.error('files.progress', error));
    },
    stored: () => storing,
  };
}

/** The file waits for the reader that recognizes text in pictures; its readings begin again. */
async function leaveToRecognition(ctx: Deps, file: AgentFileRow): Promise<void> {
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
const stillOurs = (file: AgentFileRow) =>
  and(
    eq(agentFiles.userId, file.userId),
    eq(agentFiles.id, file.id),
    eq(agentFiles.state, 'reading'),
    eq(agentFiles.readings, file.readings),
    isNull(agentFiles.deletedAt),
  );

/** No reader died, so the attempt doesn't count. */
const putBack = (ctx: Deps, file: AgentFileRow) =>
  ctx.db
    .update(agentFiles)
    .set({ readingUntil: null, readings: file.readings - 1 })
    .where(stillOurs(file));

/** In portions with pauses, because others wait meanwhile; stops when another reader has the file. */
async function keepPassages(
  ctx: Deps,
  file: AgentFileRow,
  passages: Extracted['passages'],
  tell: (progress: string) => void,
): Promise<void> {
  for (let at = 0; at < passages.length; at += PORTION) {
    if (at > 0) tell(`${Math.floor((at / passages.length) * 100)} %`);
    if (!(await keepPortion(ctx, file, passages.slice(at, at + PORTION), at))) return;
    // The embedded database never yields the thread by itself.
    await setImmediate();
  }
}

/** False when another reader has taken the file, or it was deleted. */
async function keepPortion(ctx: Deps, file: AgentFileRow, portion: Extracted['passages'], at: number) {
  const { userId, id: fileId, agentId } = file;
  return ctx.db.transaction(async (tx) => {
    const held = await tx
      .update(agentFiles)
      .set({ readingUntil: heldUntil })
      .where(stillOurs(file))
      .returning({ id: agentFiles.id });
    if (held.length === 0) return false;
    // An earlier attempt may have stored a part.
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

async function finishRead(
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

/** Removes what a dead process left unfinished, and continues reading. */
export async function sweep(ctx: Deps): Promise<void> {
  for (const file of await findStuckUploads(ctx.db, STUCK_UPLOADING_MINUTES)) await removeFile(ctx, file);
  await clearIncoming(ctx, LEFT_LYING_MS);
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
  for (const file of await findStuckUploads(ctx.db, 0)) await removeFile(ctx, file);
  await clearIncoming(ctx, 0);
  await ctx.db.transaction(async (tx) => {
    const waiting = await tx
      .update(agentFiles)
      .set({ readingUntil: null })
      .where(and(eq(agentFiles.state, 'reading'), isNull(agentFiles.deletedAt)))
      .returning({ pictures: agentFiles.pictures });
    // A job reads everything that waits in its lane, so as many jobs as readers are enough.
    const jobs = LANES.flatMap((lane) => {
      const files = waiting.filter(({ pictures }) => pictures === (lane === 'pictures'));
      return files.slice(0, READERS[lane]).map(() => ({ queue: QUEUES[lane], data: {} }));
    });
    await ctx.jobs.sendAll(tx, jobs);
  });
}

/** Removes files that have been in the upload folder longer than an upload can take. */
async function clearIncoming(ctx: Deps, olderThanMs: number): Promise<void> {
  const folder = incomingFolder(ctx.config);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - olderThanMs) await rm(path, { force: true });
  }
}
