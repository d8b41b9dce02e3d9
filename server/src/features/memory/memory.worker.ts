import { parentPort, workerData } from 'node:worker_threads';
import { createIndexCache, type Request } from './index-cache.ts';
import { warmUp } from './warm-up.ts';

// Building and ranking happen here, so that the thread which serves requests never waits for them.
warmUp();
const cache = createIndexCache(Number(workerData.maxBytes));
parentPort?.on('message', ({ id, request }: { id: number; request: Request }) => {
  try {
    parentPort?.postMessage({ id, reply: cache.handle(request) });
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) });
  }
});
