import { Worker } from 'node:worker_threads';
import { Recent } from '../../../platform/language/recent.ts';
import type { Reply, WorkerRequest } from './index-cache.ts';

/** The most that all indexes of a process may take together. */
export const INDEX_BYTES = 256 * 1024 * 1024;

/** Of how many sessions the latest question stays known. */
const SESSIONS = 1_000;

interface Waiting {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

/** What the messages of a session ask the index. */
export interface SessionQuery {
  key: string;
  limit: number;
}

/** Sends requests to the index worker. When the worker dies, its requests fail and the next question starts another. */
export function createIndexClient(maxBytes = INDEX_BYTES) {
  let worker: Worker | undefined;
  let nextId = 0;
  const waiting = new Map<number, Waiting>();
  /** The current loads, by index. */
  const loads = new Map<string, Promise<void>>();
  /** By owner and session: what the latest message asked. */
  const queries = new Recent<SessionQuery>(SESSIONS);

  function start(): Worker {
    const started = new Worker(new URL('./memory.worker.ts', import.meta.url), { workerData: { maxBytes } });
    started.unref();
    started.on('message', ({ id, reply, error }: { id: number; reply?: Reply; error?: string }) => {
      const request = waiting.get(id);
      waiting.delete(id);
      if (reply === undefined) request?.reject(new Error(error ?? 'the index worker gave no reply'));
      else request?.resolve(reply);
    });
    const lost = (error: Error) => {
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('error', lost);
    started.on('exit', (code) => lost(new Error(`the index worker ended (${code})`)));
    return started;
  }

  return {
    loads,
    latest: queries,
    ask(request: WorkerRequest): Promise<Reply> {
      worker ??= start();
      const id = nextId;
      nextId += 1;
      const answered = new Promise<Reply>((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, request });
      return answered;
    },
    /** Ends the worker; the next question starts another. */
    stop: async () => void (await worker?.terminate()),
  };
}

export type IndexClient = ReturnType<typeof createIndexClient>;
