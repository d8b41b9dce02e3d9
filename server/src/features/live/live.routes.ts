import { setTimeout as pause } from 'node:timers/promises';
import type { LiveEventName } from '@atelier/contract/live';
import { Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';

const PING_MS = 15_000;
const RECHECK_MS = 60_000;
const RETRY_MS = 1_000;
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
    isOpen: () => open,
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

/** `GET /api/live`: a browser's one stream. It ends with the sign-in that opened it. */
export function liveRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/', requires('user'), (c) => {
    const { uid } = c.get('caller');
    const leave = c.get('bounds').enter(uid, 'streams');
    return streamSSE(c, async (stream) => {
      const queue = openQueue();
      let retry: NodeJS.Timeout | undefined;
      const recheck = async (): Promise<void> => {
        clearTimeout(retry);
        try {
          if (queue.isOpen() && (await c.get('findCaller')()) === null) queue.close();
        } catch {
          // While the database is away no sign-in ends; check again as soon as it is back.
          clearTimeout(retry);
          if (queue.isOpen()) retry = setTimeout(recheck, RETRY_MS);
        }
      };
      const unsubscribe = deps.live.subscribe(uid, ({ event, data }) => {
        queue.push(event, data);
        if (event === 'changed' && data.topic === 'auth') void recheck();
      });
      stream.onAbort(queue.close);
      const timers = [setInterval(() => void stream.write(': ping\n\n'), PING_MS), setInterval(recheck, RECHECK_MS)];
      queue.push('hello', { at: new Date().toISOString(), uid });
      try {
        await queue.sendTo(stream);
      } finally {
        leave();
        unsubscribe();
        clearTimeout(retry);
        for (const timer of timers) clearInterval(timer);
      }
    });
  });
}
