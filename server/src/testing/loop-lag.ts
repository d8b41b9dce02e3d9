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

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export interface LoopLag {
  /**
   * The longest time between two turns of the event loop beyond what was asked for, in milliseconds, without the time in which other programs had
   * the processors: what this program itself kept the loop from turning.
   */
  own: number;
  /** The longest time of one turn for which this thread itself had a processor: no other program can add to it. */
  busy: number;
  /** How much of the time it waited for a processor, from 0 to 1. */
  waiting: number;
}

/** Measures how long the event loop of this process's first thread stands still, until it is asked. */
export function measureLoopLag(): () => LoopLag {
  let own = 0;
  let busy = 0;
  const begun = performance.now();
  const waitedBefore = waitedForProcessor();
  let last = begun;
  let used = processorTime();
  let waited = waitedForProcessor();
  const turn = () => {
    const now = performance.now();
    const waitedNow = waitedForProcessor();
    const lag = Math.max(0, now - last - EVERY_MS);
    own = Math.max(own, lag - ((waitedNow ?? 0) - (waited ?? 0)));
    const usedNow = processorTime();
    busy = Math.max(busy, usedNow - used);
    last = now;
    used = usedNow;
    waited = waitedNow;
  };
  const timer = setInterval(turn, EVERY_MS);
  return () => {
    clearInterval(timer);
    turn();
    return { own, busy, waiting: ((waited ?? 0) - (waitedBefore ?? 0)) / (last - begun) };
  };
}
