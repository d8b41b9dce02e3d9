import { Worker } from 'node:worker_threads';

/** Flushes open files to the disk without holding up the caller's thread, one call at a time. Rejects when the disk refuses. */
export interface Flusher {
  flush(descriptors: number[]): Promise<void>;
  end(): void;
}

/** A thread that flushes. A process may end beside it, but not while somebody waits for a flush. When the thread has died, all is refused. */
export function startFlusher(): Flusher {
  const worker = new Worker(new URL('./flush.worker.ts', import.meta.url));
  worker.unref();
  let settle: (error: Error | null) => void = () => {};
  let death: Error | undefined;
  const die = (error: Error) => {
    death ??= error;
    settle(death);
  };
  worker.on('message', (problem: { message: string; code?: string } | null) => {
    settle(problem === null ? null : Object.assign(new Error(problem.message), { code: problem.code }));
  });
  worker.on('error', die);
  worker.on('exit', (code) => die(new Error(`the thread that flushes has ended (${code})`)));
  return {
    flush: (descriptors) =>
      new Promise<void>((resolve, reject) => {
        if (death !== undefined) return reject(death);
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

/** As PGlite is built. */
const PAGE_BYTES = 8192;
/** Of a page's beginning, which says up to where the log must be on the disk before it. */
const POSITION_BYTES = 8;

/**
 * Whether these are pages of a table that the log tells nothing of, as it is of new ones and of maps of free space
 * (https://www.postgresql.org/docs/17/storage-page-layout.html). Other pages may know more than their position says: that an older row's
 * transaction has ended is noted on them without the log.
 */
export function areUnlogged(pages: Uint8Array): boolean {
  if (pages.length % PAGE_BYTES !== 0) return false;
  for (let at = 0; at < pages.length; at += PAGE_BYTES)
    if (pages.subarray(at, at + POSITION_BYTES).some((byte) => byte !== 0)) return false;
  return true;
}
