import { type LiveEventName, type LiveEvents, liveEvents } from '@atelier/contract/live';
import { connection } from './connection.ts';
import type { HubMessage } from './live-hub.ts';
import { type LiveLink, openLiveLink } from './live-link.ts';
import { refresh, refreshAll } from './stale.ts';

/** An event of a running answer, for `subscribeRun`. */
export type RunEvent = {
  [K in 'memory' | 'delta' | 'tool' | 'done']: { event: K; data: LiveEvents[K] };
}['memory' | 'delta' | 'tool' | 'done'];

const listeners = new Set<(event: RunEvent) => void>();
const changeListeners = new Set<(change: LiveEvents['changed']) => void>();
let link: LiveLink | null = null;
let shown: string | null = null;

/** Listens to the signed-in user's running answers, in other tabs too. Returns a function that stops. */
export function subscribeRun(listener: (event: RunEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Listens to every change notice, for lists that patch one entry instead of refetching. Returns a function that stops. */
export function subscribeChange(listener: (change: LiveEvents['changed']) => void): () => void {
  changeListeners.add(listener);
  return () => changeListeners.delete(listener);
}

/** Validates an event; null for an unknown one (from a newer server, for example). */
export function readEvent<K extends LiveEventName>(event: K, data: string): LiveEvents[K] | null {
  try {
    const parsed = liveEvents[event]?.safeParse(JSON.parse(data));
    return parsed?.success ? (parsed.data as LiveEvents[K]) : null;
  } catch {
    return null;
  }
}

function hand(event: RunEvent) {
  for (const listener of listeners) listener(event);
}

function receive({ uid, event, data }: HubMessage) {
  if (uid !== shown) return;
  if (event === 'lost') return connection.streamBroke();
  connection.confirm();
  // Changes are reported from now on; data fetched before may be older.
  if (event === 'hello') return refreshAll();
  if (event === 'changed') {
    const change = readEvent(event, data);
    if (change === null) return;
    refresh(change.topic, change.id);
    for (const listener of changeListeners) listener(change);
    return;
  }
  const detail = readEvent(event, data);
  if (detail !== null) hand({ event, data: detail } as RunEvent);
}

/** Follows changes for `uid`, through the browser's one stream. Returns a function that stops. */
export function startLive(uid: string): () => void {
  link ??= openLiveLink(receive);
  const { send } = link;
  shown = uid;
  send({ type: 'follow', uid });
  // A page in the back/forward cache receives nothing; when shown again, it rejoins and refetches.
  const leave = () => send({ type: 'leave' });
  const back = (event: PageTransitionEvent) => event.persisted && send({ type: 'follow', uid });
  addEventListener('pagehide', leave);
  addEventListener('pageshow', back);
  return () => {
    removeEventListener('pagehide', leave);
    removeEventListener('pageshow', back);
    if (shown === uid) shown = null;
    leave();
  };
}
