import { useSyncExternalStore } from 'react';
import { createListeners } from '../../ui/shared-value.ts';
import { subscribeTraffic } from '../http.ts';

/** Whether the server can be reached; `offline` when the browser has no network. */
export type Connection = 'up' | 'unreachable' | 'offline';

/** Milliseconds between two checks of a server that did not answer. */
const LOOK_AGAIN_MS = 4000;
/** A broken stream has usually reconnected by then. In milliseconds. */
const STREAM_PATIENCE_MS = 3000;

/** Tracks the connection. `look` checks whether the server answers, `hasNetwork` what the browser believes. */
export function createConnectionWatch(look: () => Promise<boolean>, hasNetwork: () => boolean) {
  const listeners = createListeners();
  let now: Connection = 'up';
  let looking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function become(next: Connection) {
    if (next === now) return;
    now = next;
    listeners.tell();
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
    /** Something failed: checks whether the server can be reached, until it can. */
    suspect: () => void suspect(),
    /** Something succeeded. */
    confirm,
    /** The stream broke: checks, unless something succeeds soon. */
    streamBroke() {
      if (now !== 'up') return;
      clearTimeout(timer);
      timer = setTimeout(() => void suspect(), STREAM_PATIENCE_MS);
    },
    subscribe: listeners.subscribe,
  };
}

/** A busy or closing server still answers: only silence counts as lost. */
const look = () =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(LOOK_AGAIN_MS * 2) }).then(
    () => true,
    () => false,
  );

export const connection = createConnectionWatch(look, () => navigator.onLine);

/** Watches the browser's network events and the result of every request. Returns a function that stops. */
export function watchConnection(): () => void {
  const stop = subscribeTraffic((answered) => (answered ? connection.confirm() : connection.suspect()));
  // Either event is only a reason to check: a server on the same machine needs no network.
  addEventListener('offline', connection.suspect);
  addEventListener('online', connection.suspect);
  return () => {
    stop();
    removeEventListener('offline', connection.suspect);
    removeEventListener('online', connection.suspect);
  };
}

/** Whether the server can be reached, as far as known. */
export const useConnection = () => useSyncExternalStore(connection.subscribe, connection.read, (): Connection => 'up');
