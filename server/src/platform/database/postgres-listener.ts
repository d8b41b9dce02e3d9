import pg from 'pg';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

const RETRY_MS = 1_000;

interface Subscription {
  channel: string;
  fn: (payload: string) => void;
  onGap: () => void;
}

/** One connection that only listens. It comes back by itself; what was notified meanwhile is lost, and `onGap` says so. */
export function createListener(url: string, log: Log): { listen: Database['listen']; close(): Promise<void> } {
  const subscriptions = new Set<Subscription>();
  let client: pg.Client | undefined;
  let connecting: Promise<pg.Client> | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client({ connectionString: url, keepAlive: true });
    next.on('notification', ({ channel, payload }) => {
      for (const subscription of subscriptions) if (subscription.channel === channel) subscription.fn(payload ?? '');
    });
    next.on('error', (error) => log.error('database.listener', error));
    next.on('end', () => lost(next));
    await next.connect();
    for (const channel of new Set([...subscriptions].map((s) => s.channel))) await next.query(`listen ${channel}`);
    client = next;
    return next;
  }

  function lost(which: pg.Client) {
    if (closed || which !== client) return;
    client = undefined;
    connecting = undefined;
    setTimeout(comeBack, RETRY_MS);
  }

  async function comeBack() {
    if (closed) return;
    try {
      await ready();
      for (const subscription of subscriptions) subscription.onGap();
    } catch (error) {
      log.error('database.listener', error);
      connecting = undefined;
      setTimeout(comeBack, RETRY_MS);
    }
  }

  const ready = () => (connecting ??= connect());

  return {
    async listen(channel, fn, onGap = () => {}) {
      const subscription = { channel, fn, onGap };
      const connected = await ready();
      subscriptions.add(subscription);
      await connected.query(`listen ${channel}`);
      return async () => void subscriptions.delete(subscription);
    },
    async close() {
      closed = true;
      await (await connecting?.catch(() => undefined))?.end();
    },
  };
}
