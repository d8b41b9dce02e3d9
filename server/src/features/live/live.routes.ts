import { setTimeout as pause } from 'node:timers/promises';
import type { LiveEventName } from '@atelier/contract/live';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';

const PING_MS = 15_000;
const RECHECK_MS = 60_000;
const RETRY_MS = 1_000;
/** A reader that is this many events behind is cut off; it comes back and fetches anew. */
const QUEUE_MAX = 5_000;
/** How long the last words of a stream may take. */
const FAREWELL_MS = 5_000;

/** `GET /api/live`: the one stream of a browser. It ends with the sign-in that opened it. */
export function liveRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/', requires('user'), (c) => {
    const { uid } = c.get('caller');
    const leave = c.get('bounds').enter(uid, 'streams');
    return streamSSE(c, async (stream) => {
      const queue: { event: LiveEventName; data: string }[] = [];
      let open = true;
      let wake = () => {};
      const closed = Promise.withResolvers<void>();
      const close = () => {
        open = false;
        closed.resolve();
      };
      const push = (event: LiveEventName, data: unknown) => {
        if (!open) return;
        queue.push({ event, data: JSON.stringify(data) });
        if (queue.length > QUEUE_MAX) {
          queue.length = 0;
          close();
        }
        wake();
      };
      let retry: NodeJS.Timeout | undefined;
      const recheck = async (): Promise<void> => {
        clearTimeout(retry);
        try {
          if (open && (await c.get('findCaller')()) === null) close();
        } catch {
          // Nobody's sign-in ends while the database is away; it is looked up as soon as it is back.
          clearTimeout(retry);
          if (open) retry = setTimeout(recheck, RETRY_MS);
        }
      };
      const unsubscribe = deps.live.subscribe(uid, ({ event, data }) => {
        push(event, data);
        if (event === 'changed' && data.topic === 'auth') void recheck();
      });
      stream.onAbort(close);
      const timers = [setInterval(() => void stream.write(': ping\n\n'), PING_MS), setInterval(recheck, RECHECK_MS)];
      push('hello', { at: new Date().toISOString(), uid });
      try {
        while (open) {
          const next = queue.shift();
          const step = next === undefined ? new Promise<void>((resolve) => (wake = resolve)) : stream.writeSSE(next);
          // A reader that takes nothing keeps a write from ever ending.
          await Promise.race([step, closed.promise]);
        }
        // What is queued still goes out, so that the page learns that its sign-in ended.
        if (stream.aborted) return;
        await Promise.race([Promise.all(queue.map((next) => stream.writeSSE(next))), pause(FAREWELL_MS)]);
      } finally {
        leave();
        unsubscribe();
        clearTimeout(retry);
        for (const timer of timers) clearInterval(timer);
      }
    });
  });
}
