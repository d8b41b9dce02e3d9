import { setTimeout as pause } from 'node:timers/promises';
import { type LiveEventName, liveCalls } from '@atelier/contract/live';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { watchCaller } from '../accounts/auth/watch-caller.service.ts';

const PING_MS = 15_000;
/** A reader this many events behind is cut off; it reconnects and refetches. */
const QUEUE_MAX = 5_000;
/** How long the last events of a stream may take. */
const FAREWELL_MS = 5_000;

/** The events waiting for one reader. */
function openQueue() {
  const waiting: { event: LiveEventName; data: string }[] = [];
  const closed = Promise.withResolvers<void>();
  let open = true;
  let wake = () => {};
  const close = () => {
    open = false;
    closed.resolve();
  };
  return {
    close,
    push(event: LiveEventName, data: unknown) {
      if (!open) return;
      waiting.push({ event, data: JSON.stringify(data) });
      if (waiting.length > QUEUE_MAX) {
        waiting.length = 0;
        close();
      }
      wake();
    },
    /** Sends until the queue is closed, and then the rest, so that the page learns that its sign-in ended. */
    async sendTo(stream: SSEStreamingApi): Promise<void> {
      while (open) {
        const next = waiting.shift();
        const step = next === undefined ? new Promise<void>((resolve) => (wake = resolve)) : stream.writeSSE(next);
        // A reader that takes nothing blocks a write forever.
        await Promise.race([step, closed.promise]);
      }
      if (stream.aborted) return;
      await Promise.race([Promise.all(waiting.map((next) => stream.writeSSE(next))), pause(FAREWELL_MS)]);
    },
  };
}

/** A browser's one stream. It ends with the sign-in that opened it. */
export const liveRoutes = (deps: Deps) =>
  serve(liveCalls, {
    follow: ({ c, caller: { uid }, query: { since } }) => {
      const leave = c.get('bounds').enter(uid, 'streams');
      return streamSSE(c, async (stream) => {
        const queue = openQueue();
        const unsubscribe = deps.live.subscribe(uid, ({ event, data }) => queue.push(event, data));
        const stopWatching = watchCaller(deps, c, queue.close);
        stream.onAbort(queue.close);
        const ping = setInterval(() => void stream.write(': ping\n\n'), PING_MS);
        const isCurrent = since !== undefined && deps.live.isCurrent(uid, since);
        queue.push('hello', { at: new Date().toISOString(), uid, isCurrent });
        try {
          await queue.sendTo(stream);
        } finally {
          leave();
          unsubscribe();
          stopWatching();
          clearInterval(ping);
        }
      });
    },
  });
