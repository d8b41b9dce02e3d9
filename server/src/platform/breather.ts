import { setImmediate } from 'node:timers/promises';

/** How long work may go on before everything else of the process has a turn. */
const TURN_MS = 10;

/** For pieces of work that follow each other: waits for the event loop to turn where they have kept it from doing so for long. */
export function createBreather(): () => Promise<void> {
  let lastTurn = performance.now();
  return async () => {
    if (performance.now() - lastTurn <= TURN_MS) return;
    await setImmediate();
    lastTurn = performance.now();
  };
}
