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

/** `GET /api/live`: the one stream of a browser. It ends with the sign-in that opened it. */
export function liveRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/', requires('user'), (c) => {
    const { uid } = c.get('caller');
    const leave = c.get('bounds').enter(uid, 'streams');
    return streamSSE(c, async (stream) => {
      const queue: { event: LiveEventName; data: string }[] = [];
      let open = true;
      let wake = () => {};
      const close = () => {
        open = false;
        wake();
      };
      const push = (event: LiveEventName, data: unknown) => {
        queue.push({ event, data: JSON.stringify(data) });
        if (queue.length > QUEUE_MAX) close();
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
          if (next !== undefined) await stream.writeSSE(next);
          else await new Promise<void>((resolve) => (wake = resolve));
        }
        // What is queued still goes out, so that the page learns that its sign-in ended.
        if (!stream.aborted) for (const next of queue.splice(0, QUEUE_MAX)) await stream.writeSSE(next);
      } finally {
        leave();
        unsubscribe();
        for (const timer of timers) clearInterval(timer);
      }
    });
  });
}
