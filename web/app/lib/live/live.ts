import { type LiveEventName, type LiveEvents, liveEvents } from '@atelier/contract/live';
import { connection } from './connection.ts';
import { type RunEvent, tellChange, tellRun } from './live-events.ts';
import type { HubMessage } from './live-hub.ts';
import { type LiveLink, openLiveLink } from './live-link.ts';
import { refresh, refreshAll } from './stale.ts';

let link: LiveLink | null = null;
let shown: string | null = null;

/** Validates an event; null for an unknown one (from a newer server, for example). */
export function readEvent<K extends LiveEventName>(event: K, data: string): LiveEvents[K] | null {
  try {
    const parsed = liveEvents[event]?.safeParse(JSON.parse(data));
    return parsed?.success ? (parsed.data as LiveEvents[K]) : null;
  } catch {
    return null;
  }
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
    return tellChange(change);
  }
  const detail = readEvent(event, data);
  if (detail !== null) tellRun({ event, data: detail } as RunEvent);
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
