import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const EVERY_MS = 5;

/** Milliseconds that this process's first thread was ready to run and had no processor; null where the system doesn't tell. */
function waitedForProcessor(): number | null {
  try {
    const [, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return null;
  }
}

export interface LoopLag {
  /** The longest time between two turns of the event loop beyond what was asked for, in milliseconds. */
  worst: number;
  /** The same without the time in which other programs had the processors: what this program itself kept the loop from turning. */
  own: number;
}

/** Measures how long the event loop of this process's first thread stands still, until it is asked. */
export function measureLoopLag(): () => LoopLag {
  let worst = 0;
  let own = 0;
  let last = performance.now();
  let waited = waitedForProcessor();
  const turn = () => {
    const now = performance.now();
    const waitedNow = waitedForProcessor();
    const lag = Math.max(0, now - last - EVERY_MS);
    worst = Math.max(worst, lag);
    own = Math.max(own, lag - ((waitedNow ?? 0) - (waited ?? 0)));
    last = now;
    waited = waitedNow;
  };
  const timer = setInterval(turn, EVERY_MS);
  return () => {
    clearInterval(timer);
    turn();
    return { worst, own };
  };
}
