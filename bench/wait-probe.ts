// A thread of its own that asks for the same again and again, so that the attack's own load is not measured.
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { formOf, requestOf } from '../server/src/testing/requests.ts';

/** What somebody waits for. */
export interface Wish {
  path: string;
  /** Is attached, if there is one. */
  text?: string;
  pauseMs: number;
}

const { address, cookie, path, text, pauseMs }: Wish & { address: string; cookie: string } = workerData;
let took: number[] = [];
let since: number | undefined;
// Gives the waits since the last time. What is still waited for counts as far as it is.
parentPort?.on('message', () => {
  parentPort?.postMessage(since === undefined ? took : [...took, performance.now() - since]);
  took = [];
});

async function ask(): Promise<Response> {
  const file = text === undefined ? undefined : formOf('short.txt', text);
  return fetch(`${address}${path}`, requestOf(address, cookie, file ? 'POST' : 'GET', file));
}

/** A connection that the server just closed is no answer yet, nor is a refusal; the next one is, and the clock keeps running. */
async function isAnswered(): Promise<boolean> {
  try {
    const answer = await ask();
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

// Like a page that is open: with a connection, and code that has run before.
while (!(await isAnswered())) await pause(1);
parentPort?.postMessage('ready');
for (;;) {
  since = performance.now();
  while (!(await isAnswered())) await pause(1);
  took.push(performance.now() - since);
  since = undefined;
  await pause(pauseMs);
}
