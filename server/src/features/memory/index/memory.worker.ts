import { parentPort, workerData } from 'node:worker_threads';
import { createIndexCache, type WorkerRequest } from './index-cache.ts';
import { unpackRows } from './packed-rows.ts';
import { warmUpIndexing } from './warm-up.ts';

// Building and ranking happen here, so the thread that serves requests never waits for them.
warmUpIndexing();
const cache = createIndexCache(Number(workerData.maxBytes));
parentPort?.on('message', ({ id, request }: { id: number; request: WorkerRequest }) => {
  try {
    const read = request.type === 'load' ? { ...request, rows: unpackRows(request.packed) } : request;
    parentPort?.postMessage({ id, reply: cache.handle(read) });
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) });
  }
});
