import { closeSync, openSync } from 'node:fs';
import type { Flusher } from './flusher.ts';

/** What PostgreSQL has asked to flush of its log and takes as flushed, and who waits until it is. */
export interface LogFlush {
  /** Notes that this file, which PostgreSQL has open as `descriptor`, is to be flushed. Throws once a flush has failed. */
  add(path: string, descriptor: number): void;
  /** Flushes what was added, on this thread: before a change elsewhere that may reach the disk only after its log. */
  now(): void;
  /** Whether something that was added is not on the disk yet, or never will be. */
  isPending(): boolean;
  /** Waits until what was added before is on the disk. Rejects when the disk refused, then and ever after. */
  done(): Promise<void>;
  /** Flushes the rest and lets the other thread go. */
  close(): Promise<void>;
}

/** Descriptors of our own, because PostgreSQL closes its files when it likes; two, because each hears of a failed write only once. */
interface OpenFile {
  beside: number;
  here: number;
}

function openBoth(path: string): OpenFile {
  // For writing, without which Windows flushes nothing.
  const beside = openSync(path, 'r+');
  try {
    return { beside, here: openSync(path, 'r+') };
  } catch (error) {
    closeSync(beside);
    throw error;
  }
}

function closeAll(files: Iterable<OpenFile>): void {
  for (const { beside, here } of files) {
    closeSync(beside);
    closeSync(here);
  }
}

/**
 * Flushes a database's log beside other work, one flush for all who wait meanwhile. `file` flushes a file on this thread; `onFailure` is called
 * once, when the disk refuses.
 */
export function createLogFlush(
  flusher: Flusher,
  file: (descriptor: number) => void,
  onFailure: (error: unknown) => void,
): LogFlush {
  let added = 0;
  let flushed = 0;
  let next = new Map<string, OpenFile>();
  let current: OpenFile[] = [];
  let running: Promise<void> | undefined;
  let failure: unknown;

  function fail(error: unknown): never {
    if (failure === undefined) onFailure(error);
    failure ??= error;
    throw new Error(`could not fsync the log: ${error instanceof Error ? error.message : String(error)}`);
  }

  function requireDisk(): void {
    if (failure !== undefined) {
      throw Object.assign(new Error('The embedded database has stopped.', { cause: failure }), { code: '57P02' });
    }
  }

  /** All that was added, and one more. */
  function flushHere(...more: number[]): void {
    try {
      // What the other thread is flushing may not be on the disk yet.
      for (const { here } of [...current, ...next.values()]) file(here);
      for (const descriptor of more) file(descriptor);
      closeAll(next.values());
    } catch (error) {
      fail(error);
    }
    next = new Map();
    flushed = added;
  }

  async function run(): Promise<void> {
    const upTo = added;
    current = [...next.values()];
    next = new Map();
    try {
      await flusher.flush(current.map(({ beside }) => beside));
      flushed = Math.max(flushed, upTo);
    } catch (error) {
      fail(error);
    } finally {
      const files = current;
      current = [];
      running = undefined;
      closeAll(files);
    }
  }

  return {
    add(path, descriptor) {
      requireDisk();
      added += 1;
      if (next.has(path)) return;
      try {
        next.set(path, openBoth(path));
      } catch {
        // The process has no descriptor left, which is no failure of the disk.
        flushHere(descriptor);
      }
    },
    now() {
      requireDisk();
      if (flushed < added) flushHere();
    },
    isPending: () => flushed < added || failure !== undefined,
    async done() {
      requireDisk();
      const mine = added;
      while (flushed < mine) {
        running ??= run();
        await running;
      }
    },
    async close() {
      try {
        if (flushed < added && failure === undefined) flushHere();
        await running;
      } finally {
        closeAll(next.values());
        next = new Map();
        flusher.end();
      }
    },
  };
}
