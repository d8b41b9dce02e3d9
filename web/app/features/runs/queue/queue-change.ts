import type { QueuedMessage } from '@atelier/contract/runs';
import { useEffect, useRef } from 'react';
import { useAnnouncement } from '../../../ui/page/use-announcement.ts';
import { removedHere } from './queue.api.ts';

const counted = (n: number) => (n === 0 ? 'No message waits.' : n === 1 ? '1 message waits.' : `${n} messages wait.`);

/** How two states of the queue differ, in a sentence for screen readers; empty if not worth one. Removals here say so themselves. */
export function changeOf(
  before: readonly QueuedMessage[],
  now: readonly QueuedMessage[],
  removedHere: ReadonlySet<string>,
): string {
  const gone = before.filter(({ id }) => now.every((other) => other.id !== id));
  const added = now.filter(({ id }) => before.every((other) => other.id !== id));
  const paused = now.find(({ state }) => state === 'paused');
  const wasPaused = before.some(({ state }) => state === 'paused');
  if (paused !== undefined && !wasPaused) return `${paused.reason ?? ''} ${counted(now.length)}`.trim();
  if (added.length > 0) return `Queued. ${counted(now.length)}`;
  if (gone.some(({ id }) => !removedHere.has(id))) return `A waiting message was sent. ${counted(now.length)}`;
  return '';
}

/** The announcement for screen readers when the queue changes; empty when it is first shown. */
export function useQueueAnnouncement(queue: readonly QueuedMessage[], isKnown: boolean): string {
  const [announcement, announce] = useAnnouncement();
  const before = useRef<readonly QueuedMessage[]>(undefined);
  useEffect(() => {
    if (!isKnown) return;
    if (before.current !== undefined) {
      const change = changeOf(before.current, queue, removedHere);
      if (change !== '') announce(change);
    }
    before.current = queue;
  }, [queue, isKnown, announce]);
  return announcement;
}
