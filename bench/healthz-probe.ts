// A separate thread that requests /healthz again and again, so that the attack’s own load is not measured.
import { parentPort, workerData } from 'node:worker_threads';

const PAUSE_MS = 10;
let took: number[] = [];

parentPort?.on('message', () => {
  parentPort?.postMessage(took);
  took = [];
});

/** A connection that the server just closed is no answer yet; the next one is, and the clock keeps running. */
async function isAnswered(): Promise<boolean> {
  try {
    const answer = await fetch(`${workerData.url}/healthz`);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

for (;;) {
  const start = performance.now();
  while (!(await isAnswered()));
  took.push(performance.now() - start);
  await new Promise((done) => setTimeout(done, PAUSE_MS));
}
