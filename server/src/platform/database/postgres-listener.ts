import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

const RETRY_MS = 500;
const CONNECT_TIMEOUT_MS = 5_000;
/** Nothing is ever sent here, so only the operating system's probes notice that the other side is gone. */
const PROBE_AFTER_MS = 10_000;

interface Subscription {
  channel: string;
  fn: (payload: string) => void;
  onGap: () => void;
}

/** A connection that listens on the channels; `onEnd` is called when it breaks later. Rejects when it can't connect. */
async function openClient(options: {
  url: string;
  log: Log;
  channels: Set<string>;
  onNotice: (channel: string, payload: string) => void;
  onEnd: () => void;
}): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
  });
  let established = false;
  client.on('notification', ({ channel, payload }) => options.onNotice(channel, payload ?? ''));
  client.on('error', (error) => options.log.error('database.listener', error));
  client.on('end', () => established && options.onEnd());
  try {
    await client.connect();
    for (const channel of options.channels) await client.query(`listen ${channel}`);
    established = true;
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** One connection that only listens. It reconnects by itself; notices in between are lost, and `onGap` reports it. */
export function createListener(url: string, log: Log): { listen: Database['listen']; close(): Promise<void> } {
  const subscriptions = new Set<Subscription>();
  /** The connection, or the attempt to make one. */
  let connecting: Promise<pg.Client> | undefined;
  let closed = false;

  const onNotice = (channel: string, payload: string) => {
    for (const subscription of subscriptions) if (subscription.channel === channel) subscription.fn(payload);
  };
  const onEnd = () => {
    connecting = undefined;
    void comeBack();
  };
  const ready = () => {
    const channels = new Set([...subscriptions].map((s) => s.channel));
    connecting ??= openClient({ url, log, channels, onNotice, onEnd }).catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };

  async function comeBack(): Promise<void> {
    for (let attempt = 1; !closed; attempt += 1) {
      try {
        await ready();
        for (const subscription of subscriptions) subscription.onGap();
        return;
      } catch (error) {
        // Once for each outage: attempts fail every half second.
        if (attempt === 1) log.error('database.listener', error);
        await pause(RETRY_MS);
      }
    }
  }

  const listen: Database['listen'] = async (channel, fn, onGap = () => {}) => {
    const subscription = { channel, fn, onGap };
    await (await ready()).query(`listen ${channel}`);
    subscriptions.add(subscription);
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
