import { createLiveHub, type HubMessage, type TabMessage } from './live-hub.ts';

/** How long a hidden tab keeps its own stream without a shared worker. */
const HIDDEN_MS = 30_000;

export interface LiveLink {
  send: (message: TabMessage) => void;
}

/** Connects this tab to the browser's one stream. */
export function openLiveLink(receive: (message: HubMessage) => void): LiveLink {
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

/**
 * Some phones have no shared worker. They show one tab at a time, so the visible tab holds the stream and gives it up soon after it is
 * hidden.
 */
function openOwnStream(receive: (message: HubMessage) => void): LiveLink {
  const tell = createLiveHub(() => new EventSource('/api/live')).join(receive);
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
