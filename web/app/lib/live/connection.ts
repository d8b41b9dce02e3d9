import { useSyncExternalStore } from 'react';
import { subscribeTraffic } from '../http.ts';

/** Whether the server can be reached; `offline` where the browser itself has no network. */
export type Connection = 'up' | 'unreachable' | 'offline';

/** Milliseconds between two looks at a server that did not answer. */
const LOOK_AGAIN_MS = 4000;
/** A stream that breaks is usually back by then. Milliseconds. */
const STREAM_PATIENCE_MS = 3000;

export interface ConnectionWatch {
  read(): Connection;
  /** Something did not get through: looks whether the server can be reached, and goes on looking until it can. */
  suspect(): void;
  /** Something got through. */
  confirm(): void;
  /** The stream broke: suspicious, unless something gets through soon. */
  streamBroke(): void;
  /** Calls `listener` at every change. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** Keeps what is known about the connection. `look` says whether the server answers, `hasNetwork` what the browser believes. */
export function createConnectionWatch(look: () => Promise<boolean>, hasNetwork: () => boolean): ConnectionWatch {
  const listeners = new Set<() => void>();
  let now: Connection = 'up';
  let looking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function become(next: Connection) {
    if (next === now) return;
    now = next;
    for (const listener of listeners) listener();
  }
  function confirm() {
    clearTimeout(timer);
    become('up');
  }
  async function suspect() {
    clearTimeout(timer);
    if (looking) return;
    looking = true;
    const reached = await look();
    looking = false;
    if (reached) return confirm();
    become(hasNetwork() ? 'unreachable' : 'offline');
    timer = setTimeout(() => void suspect(), LOOK_AGAIN_MS);
  }
  return {
    read: () => now,
    suspect: () => void suspect(),
    confirm,
    streamBroke() {
      if (now !== 'up') return;
      clearTimeout(timer);
      timer = setTimeout(() => void suspect(), STREAM_PATIENCE_MS);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A server that is busy or closing still answers: only silence counts as lost. */
const look = () =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(LOOK_AGAIN_MS * 2) }).then(
    () => true,
    () => false,
  );

export const connection = createConnectionWatch(look, () => navigator.onLine);

/** Watches the browser's word and the outcome of every request. Returns the way to stop. */
export function watchConnection(): () => void {
  const stop = subscribeTraffic((answered) => (answered ? connection.confirm() : connection.suspect()));
  // Either word is only a reason to look: a server on the same machine needs no network.
  addEventListener('offline', connection.suspect);
  addEventListener('online', connection.suspect);
  return () => {
    stop();
    removeEventListener('offline', connection.suspect);
    removeEventListener('online', connection.suspect);
  };
}

/** Whether the server can be reached, as far as is known. */
export const useConnection = () => useSyncExternalStore(connection.subscribe, connection.read, (): Connection => 'up');
