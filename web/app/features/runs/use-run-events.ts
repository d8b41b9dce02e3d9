import { useEffect } from 'react';
import { runEvents } from '../../lib/live/live-events.ts';
import { receiveEvent } from './runs.api.ts';
import type { RunEvent } from './task-patches.ts';

/** Writes the live events of all running answers into the cache while the page is shown. */
export function useRunEvents(): void {
  useEffect(() => runEvents.subscribe(({ event, data }) => receiveEvent({ type: event, ...data } as RunEvent)), []);
}
