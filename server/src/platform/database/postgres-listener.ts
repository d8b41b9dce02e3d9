import pg from 'pg';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

const RETRY_MS = 500;
const CONNECT_TIMEOUT_MS = 5_000;
/** Nothing is ever sent here, so only the operating system's probes tell that the other side is gone. */
const PROBE_AFTER_MS = 10_000;

interface Subscription {
  channel: string;
  fn: (payload: string) => void;
  onGap: () => void;
}

const openClient = (url: string) =>
  new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
  });

/** One connection that only listens. It comes back by itself; what was notified meanwhile is lost, and `onGap` says so. */
export function createListener(url: string, log: Log): { listen: Database['listen']; close(): Promise<void> } {
  const subscriptions = new Set<Subscription>();
  /** The connection, or the attempt to make one. */
  let connecting: Promise<pg.Client> | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const client = openClient(url);
    let established = false;
    client.on('notification', ({ channel, payload }) => {
      for (const subscription of subscriptions) if (subscription.channel === channel) subscription.fn(payload ?? '');
    });
    client.on('error', (error) => log.error('database.listener', error));
    client.on('end', () => {
      if (!established || closed) return;
      connecting = undefined;
      void comeBack();
    });
    try {
      await client.connect();
      for (const channel of new Set([...subscriptions].map((s) => s.channel))) await client.query(`listen ${channel}`);
      established = true;
      return client;
    } catch (error) {
      connecting = undefined;
      void client.end().catch(() => {});
      throw error;
    }
  }

  async function comeBack(): Promise<void> {
    for (let attempt = 1; !closed; attempt += 1) {
      try {
        await ready();
        for (const subscription of subscriptions) subscription.onGap();
        return;
      } catch (error) {
        // Once for each outage: what refuses now does so every half second.
        if (attempt === 1) log.error('database.listener', error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  const ready = () => (connecting ??= connect());

  const listen: Database['listen'] = async (channel, fn, onGap = () => {}) => {
    const subscription = { channel, fn, onGap };
    const client = await ready();
    subscriptions.add(subscription);
    try {
      await client.query(`listen ${channel}`);
    } catch (error) {
      subscriptions.delete(subscription);
      throw error;
    }
    return async () => void subscriptions.delete(subscription);
  };

  return {
    listen,
    async close() {
      closed = true;
      await (await connecting?.catch(() => undefined))?.end();
    },
  };
}
