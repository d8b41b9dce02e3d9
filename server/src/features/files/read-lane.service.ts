import { availableParallelism } from 'node:os';
import type { Deps } from '../../platform/deps.ts';
import { readFile } from './read-file.service.ts';
import { type Lane, QUEUES } from './reading-lanes.ts';
import { takeNextFile } from './reading-turn.service.ts';

/** How many files a process reads at once; at least two, so that one slow file never blocks everyone else's. */
export const READERS: Record<Lane, number> = { texts: Math.min(4, Math.max(2, availableParallelism())), pictures: 1 };

/** After this long a job makes way for the next, well before the queue would count it as lost. */
const JOB_MS = 4 * 60 * 1000;

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
