import type { LiveEvents } from '@atelier/contract/live';

type RunEventName = Exclude<keyof LiveEvents, 'hello' | 'changed'>;
/** An event of a running answer. */
export type RunEvent = { [K in RunEventName]: { event: K; data: LiveEvents[K] } }[RunEventName];
type Change = LiveEvents['changed'];

const runListeners = new Set<(event: RunEvent) => void>();
const changeListeners = new Set<(change: Change) => void>();

/** Listens to the signed-in user's running answers, in other tabs too. Returns a function that stops. */
export function subscribeRun(listener: (event: RunEvent) => void): () => void {
  runListeners.add(listener);
  return () => runListeners.delete(listener);
}

/** Listens to every change notice, for lists that patch one entry instead of refetching. Returns a function that stops. */
export function subscribeChange(listener: (change: Change) => void): () => void {
  changeListeners.add(listener);
  return () => changeListeners.delete(listener);
}

/** Passes on an event of a running answer. */
export function tellRun(event: RunEvent): void {
  for (const listener of runListeners) listener(event);
}

/** Passes on a change notice. */
export function tellChange(change: Change): void {
  for (const listener of changeListeners) listener(change);
}
