import { createLiveHub, openStream, type TabMessage } from './live-hub.ts';

/** The shared worker: one for all tabs of the browser, outliving any of them. */
const hub = createLiveHub(openStream);

addEventListener('connect', (event) => {
  const port = (event as MessageEvent).ports[0];
  if (port === undefined) return;
  const receive = hub.join((message) => port.postMessage(message));
  port.addEventListener('message', (message: MessageEvent<TabMessage>) => receive(message.data));
  // Newer browsers report when a tab disappears silently, by a crash for example.
  port.addEventListener('close', () => receive({ type: 'leave' }));
  port.start();
});
