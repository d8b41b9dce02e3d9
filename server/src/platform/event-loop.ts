import { setImmediate } from 'node:timers/promises';

/** How long work may run before everything else in the process gets a turn. */
const TURN_MS = 10;

/** For work in many steps: waits for the event loop to turn when the steps have blocked it for long. */
export function createLoopYield(): () => Promise<void> {
  let lastTurn = performance.now();
  return async () => {
    if (performance.now() - lastTurn <= TURN_MS) return;
    await setImmediate();
    lastTurn = performance.now();
  };
}
