import type { LiveEvents } from '@atelier/contract/live';
import { createListeners } from '../../ui/shared-value.ts';

type RunEventName = Exclude<keyof LiveEvents, 'hello' | 'changed'>;
/** An event of a running answer. */
export type RunEventMessage = { [K in RunEventName]: { event: K; data: LiveEvents[K] } }[RunEventName];

const runs = createListeners<[event: RunEventMessage]>();
const changes = createListeners<[change: LiveEvents['changed']]>();

/** Listens to the signed-in user's running answers, in other tabs too. Returns a function that stops. */
export const subscribeRun = runs.subscribe;

/** Listens to every change notice, for lists that patch one entry instead of refetching. Returns a function that stops. */
export const subscribeChange = changes.subscribe;

/** Passes on an event of a running answer. */
export const tellRun = runs.tell;

/** Passes on a change notice. */
export const tellChange = changes.tell;
