import { availableParallelism } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { and, eq, isNull } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import type { Recognize } from '../../platform/extraction/read-options.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import { retryFailedJobs } from '../../platform/jobs/job-list.ts';
import { readPicture } from '../../platform/pictures/read-picture.ts';
import { PURGE_FILE_QUEUE, purgeFile } from './files.service.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';
import { keepPassages } from './passages.service.ts';
import {
  failRead,
  finishRead,
  isWaiting,
  LANES,
  type Lane,
  laneOf,
  leaveToRecognition,
  letGo,
  putBack,
  QUEUES,
  takeNextFile,
  tellProgress,
} from './reading.service.ts';
import { clearUploads, purgeDeleted, readUpload, recognizing, surely, UNSTORE_QUEUE } from './uploads.service.ts';

const GIVEN_UP = 'This file could not be read. Delete it and upload it again.';
/** A file is given up after this many readers died on it. */
const READINGS_MAX = 3;
/** A file that can't be opened for this long never will be. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;
/** How long a document may take, and one whose pictures of text are recognized. */
const READING_MS: Record<Lane, number> = { texts: 60_000, pictures: 10 * 60_000 };
/** How many files a process reads at once; at least two, so that one slow file never blocks everyone else's. */
const READERS: Record<Lane, number> = { texts: Math.min(4, Math.max(2, availableParallelism())), pictures: 1 };
/** After this long a job makes way for the next, well before the queue would count it as lost. */
const JOB_MS = 4 * 60 * 1000;

declare module '../../platform/deps.ts' {
  interface Deps {
    /** How many file readers are working in this process, by lane. */
    fileReaders: Record<Lane, number>;
  }
}

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

/** Removes what a dead process left unfinished and what a purge could not remove, and continues reading. */
export async function sweep(ctx: Deps): Promise<void> {
  await clearUploads(ctx);
  await purgeDeleted(ctx, agentFiles).catch((error: unknown) => ctx.log.error('files.remove', error));
  await readWaiting(ctx).catch((error: unknown) => ctx.log.error('files.read', error));
  await retryFailedJobs(ctx.db, UNSTORE_QUEUE);
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
  if (file.readings > READINGS_MAX) return failRead(ctx, file, GIVEN_UP);
  const progress = tellProgress(ctx, file);
  const readNow = async (recognize: Recognize) =>
    readUpload(file.kind, await ctx.storage.get(file.key), {
      size: file.size,
      timeoutMs: READING_MS[recognize === 'now' ? 'pictures' : 'texts'],
      recognize,
      onProgress: progress.tell,
      onFailure: (reason) => ctx.log.info('files.reading_failed', { reason }),
    });
  try {
    const read = await (file.pictures ? recognizing(file.kind, readNow) : readNow('later'));
    if (read.pictures) return await leaveToRecognition(ctx, file);
    await keepPassages(ctx, file, read.passages, progress.tell);
    await progress.stored();
    await finishRead(ctx, file, read.note);
  } catch (error) {
    if (error instanceof Unreadable) return await keepPicture(ctx, file, error.message);
    if (file.createdAt.getTime() < Date.now() - GIVE_UP_MS) return failRead(ctx, file, GIVEN_UP);
    await surely(ctx, () => putBack(ctx, file));
    throw error;
  } finally {
    await progress.stored();
    await surely(ctx, () => letGo(ctx, file));
  }
}

/** A picture without text is there for models that see, and found by its name; everything else that can't be read has failed. */
async function keepPicture(ctx: Deps, file: AgentFileRow, why: string): Promise<void> {
  const isShown =
    file.kind === 'picture' && (await readPicture(await buffer(await ctx.storage.get(file.key)))) !== null;
  if (!isShown) return failRead(ctx, file, why);
  await keepPassages(ctx, file, [{ place: 'picture', text: wordsOfName(file.name) }], () => {});
  await finishRead(ctx, file, `${why} Models that see look at it when a message is about its name.`);
}

/** What can be found of a picture without text: the words of its name. */
function wordsOfName(name: string): string {
  const words = name.replace(/\.\w{1,5}$/u, '').replaceAll(/[_\-.]+/gu, ' ');
  return `A picture named “${name}”: ${words}`;
}
