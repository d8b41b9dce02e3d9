import { type LiveEventName, type LiveEvents, liveEvents } from '@atelier/contract/live';
import { attempt } from '../typed/words.ts';
import { connection } from './connection.ts';
import { changeNotices, type RunEventMessage, runEvents } from './live-events.ts';
import { createLiveHub, type HubMessage, openStream, type TabMessage } from './live-hub.ts';
import { refresh, refreshAll } from './stale.ts';

let link: LiveLink | null = null;
let shown: string | null = null;

/** Validates an event; null for an unknown one (from a newer server, for example). */
export function readEvent<K extends LiveEventName>(event: K, data: string): LiveEvents[K] | null {
  const parsed = attempt(() => liveEvents[event]?.parse(JSON.parse(data)));
  return (parsed as LiveEvents[K] | undefined) ?? null;
}

function receive({ uid, event, data }: HubMessage) {
  if (uid !== shown) return;
  if (event === 'lost') return connection.streamBroke();
  connection.confirm();
  // Changes are reported from now on; data fetched before may be older. The document itself carries settings, and is older than the sign-in.
  if (event === 'hello') return readEvent(event, data)?.isCurrent ? refresh('settings') : refreshAll();
  if (event === 'changed') {
    const change = readEvent(event, data);
    if (change === null) return;
    refresh(change.topic, change.id);
    return changeNotices.tell(change);
  }
  const detail = readEvent(event, data);
  if (detail !== null) runEvents.tell({ event, data: detail } as RunEventMessage);
}

/**
 * Follows changes for `uid`, through the browser's one stream; all that this page knows was read after `since`. Returns a function that stops.
 */
export function startLive(uid: string, since?: string): () => void {
  link ??= openLiveLink(receive);
  const { send } = link;
  shown = uid;
  send({ type: 'follow', uid, since });
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

/** How long a hidden tab keeps its own stream without a shared worker. */
const HIDDEN_MS = 30_000;

interface LiveLink {
  send: (message: TabMessage) => void;
}

/** Connects this tab to the browser's one stream. */
function openLiveLink(receive: (message: HubMessage) => void): LiveLink {
  if (typeof SharedWorker === 'undefined') return openOwnStream(receive);
  const worker = new SharedWorker(new URL('./live.worker.ts', import.meta.url), { type: 'module', name: 'live' });
  let fallback: LiveLink | null = null;
  let last: TabMessage | null = null;
  worker.port.addEventListener('message', (event: MessageEvent<HubMessage>) => receive(event.data));
  worker.port.start();
  worker.addEventListener('error', () => {
    fallback ??= openOwnStream(receive);
    if (last !== null) fallback.send(last);
  });
  return {
    send(message) {
      last = message;
      if (fallback === null) worker.port.postMessage(message);
      else fallback.send(message);
    },
  };
}

/** Some phones have no shared worker: their visible tab holds the stream, and gives it up soon after it is hidden. */
function openOwnStream(receive: (message: HubMessage) => void): LiveLink {
  const tell = createLiveHub(openStream).join(receive);
  let wanted: TabMessage = { type: 'leave' };
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') tell(wanted);
    else timer = setTimeout(() => tell({ type: 'leave' }), HIDDEN_MS);
  });
  return {
    send(message) {
      wanted = message;
      tell(message);
    },
  };
}
