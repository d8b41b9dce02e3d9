import type { LiveEvents } from '@atelier/contract/live';
import { createListeners } from '../../ui/shared-value.ts';

type RunEventName = Exclude<keyof LiveEvents, 'hello' | 'changed'>;
/** An event of a running answer. */
export type RunEventMessage = { [K in RunEventName]: { event: K; data: LiveEvents[K] } }[RunEventName];

/** The events of the signed-in user's running answers, in other tabs too. */
export const runEvents = createListeners<[event: RunEventMessage]>();

/** Every change notice, for lists that patch one entry instead of refetching. */
export const changeNotices = createListeners<[change: LiveEvents['changed']]>();
