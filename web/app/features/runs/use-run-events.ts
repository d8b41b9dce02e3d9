import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { subscribeRun } from '../../lib/live/live-events.ts';
import { receiveEvent } from './runs.api.ts';
import type { RunEvent } from './task-patches.ts';

/** Writes the live events of all running answers into the cache while the page is shown. */
export function useRunEvents(): void {
  const queryClient = useQueryClient();
  useEffect(
    () => subscribeRun(({ event, data }) => receiveEvent(queryClient, { type: event, ...data } as RunEvent)),
    [queryClient],
  );
}
