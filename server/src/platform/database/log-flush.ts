import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Flushes open files to the disk without holding up the caller's thread. Rejects when the disk refuses. */
export interface Flusher {
  flush(descriptors: number[]): Promise<void>;
  end(): void;
}

/** A thread that flushes. A process may end beside it, but not while somebody waits for a flush. */
export function startFlusher(): Flusher {
  const worker = new Worker(new URL('./flush.worker.ts', import.meta.url));
  worker.unref();
  let settle: (error: unknown) => void = () => {};
  worker.on('message', (error) => settle(error));
  worker.on('error', (error) => settle(error));
  worker.on('exit', (code) => settle(new Error(`the thread that flushes ended (${code})`)));
  return {
    flush: (descriptors) =>
      new Promise<void>((resolve, reject) => {
        worker.ref();
        settle = (error) => {
          worker.unref();
          if (error === null) resolve();
          else reject(error);
        };
        worker.postMessage(descriptors);
      }),
    end: () => void worker.terminate(),
  };
}

/** What PostgreSQL has asked to flush of its log and takes as flushed, and who waits until it is. */
export interface LogFlush {
  /** Notes that this file is to be flushed. Throws once a flush has failed. */
  add(path: string): void;
  /** Flushes what was added, on this thread: before a change elsewhere that may reach the disk only after its log. */
  now(): void;
  /** Whether something that was added is not on the disk yet. */
  isPending(): boolean;
  /** Waits until what was added before is on the disk. Rejects when the disk refused, then and ever after. */
  done(): Promise<void>;
}

/**
 * Flushes a database's log off the thread, one flush for all who wait meanwhile. `file` flushes a file on this thread; `onFailure` is called
 * once, when the disk refuses.
 */
export function createLogFlush(
  flusher: Flusher,
  file: (descriptor: number) => void,
  onFailure: (error: unknown) => void,
): LogFlush {
  let added = 0;
  let flushed = 0;
  let next = new Map<string, number>();
  let current: number[] = [];
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

  async function run(): Promise<void> {
    const upTo = added;
    // Descriptors of our own: PostgreSQL closes its files when it likes.
    current = [...next.values()];
    next = new Map();
    try {
      await flusher.flush(current);
      flushed = Math.max(flushed, upTo);
    } catch (error) {
      fail(error);
    } finally {
      for (const descriptor of current) closeSync(descriptor);
      current = [];
      running = undefined;
    }
  }

  return {
    add(path) {
      requireDisk();
      added += 1;
      if (!next.has(path)) next.set(path, openSync(path, 'r'));
    },
    now() {
      requireDisk();
      if (flushed === added) return;
      try {
        // What the other thread is flushing may not be on the disk yet.
        for (const descriptor of [...current, ...next.values()]) file(descriptor);
      } catch (error) {
        fail(error);
      }
      for (const descriptor of next.values()) closeSync(descriptor);
      next = new Map();
      flushed = added;
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
  };
}
