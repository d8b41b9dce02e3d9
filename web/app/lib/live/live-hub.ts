import type { LiveEventName } from '@atelier/contract/live';
import { attempt } from '../typed/words.ts';

/** A tab's message to the hub: which user it shows, and since which position it knows everything, or that it leaves. */
export type TabMessage = { type: 'follow'; uid: string; since?: string | undefined } | { type: 'leave' };
/** What the hub passes on; `data` is the received JSON. */
export interface HubMessage {
  uid: string;
  /** `lost`: the stream broke and is being reopened. */
  event: LiveEventName | 'lost';
  data: string;
}

/** The part of EventSource that the hub needs. */
export interface Stream {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

const EVENTS: readonly LiveEventName[] = ['hello', 'changed', 'memory', 'delta', 'thought', 'wait', 'tool', 'done'];
const CLOSED = 2;
const RECHECK = JSON.stringify({ topic: 'auth', id: '' });

/** Milliseconds until the next attempt after `failures` failed ones: 0.5 s doubling to 15 s. */
export function reconnectDelay(failures: number): number {
  return Math.min(500 * 2 ** Math.max(0, failures - 1), 15_000);
}

type Tell = (uid: string, event: HubMessage['event'], data: string) => void;

/** The stream of changes; `since` is where it stood before all that its page has read. */
export const openStream = (since?: string): Stream =>
  new EventSource(since === undefined ? '/api/live' : `/api/live?since=${encodeURIComponent(since)}`);

/** Keeps one stream open for the user named last; reconnects after a break, with growing pauses. */
function createStreamHolder(open: (since?: string) => Stream, tell: Tell) {
  let live: { uid: string; stream: Stream | null; ready: boolean } | null = null;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function drop() {
    clearTimeout(timer);
    live?.stream?.close();
    live = null;
  }

  function again(uid: string) {
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(() => connect(uid), reconnectDelay(failures));
  }

  /** The cookie belongs to another user by now: pass nothing on, and let the tabs ask who is signed in. */
  function refuse(uid: string) {
    drop();
    live = { uid, stream: null, ready: false };
    tell(uid, 'changed', RECHECK);
    again(uid);
  }

  /** `afresh`: a new user's stream, tried at once regardless of earlier failures. */
  function connect(uid: string, afresh?: { since?: string | undefined }) {
    drop();
    if (afresh) failures = 0;
    const stream = open(afresh?.since);
    const mine = { uid, stream: stream as Stream | null, ready: false };
    live = mine;
    for (const event of EVENTS) {
      stream.addEventListener(event, ({ data }) => {
        if (live !== mine) return;
        if (event === 'hello' && !helloFits(uid, data)) return refuse(uid);
        if (event === 'hello') {
          failures = 0;
          mine.ready = true;
        }
        tell(uid, event, data);
      });
    }
    stream.addEventListener('error', () => {
      if (live !== mine) return;
      // CLOSED means that the server refused (perhaps signed out); a break leaves it CONNECTING.
      const refused = stream.readyState === CLOSED;
      stream.close();
      Object.assign(mine, { stream: null, ready: false });
      if (refused) tell(uid, 'changed', RECHECK);
      else tell(uid, 'lost', '{}');
      again(uid);
    });
  }

  return { drop, connect, current: () => live };
}

/**
 * Holds one stream for all tabs of the browser. The stream belongs to the user of the tab that spoke last (a browser has one sign-in), and
 * an event reaches only tabs of that user.
 */
export function createLiveHub(open: (since?: string) => Stream) {
  const tabs = new Map<(message: HubMessage) => void, string>();
  /** The tab whose reading the stream began with; what others have read may be older. */
  let opener: ((message: HubMessage) => void) | undefined;
  const holder = createStreamHolder(open, (uid, event, data) => {
    for (const [post, shown] of tabs) {
      if (shown !== uid) continue;
      if (event === 'hello' && post !== opener) sayHello(post, uid);
      else post({ uid, event, data });
    }
  });

  function leave(post: (message: HubMessage) => void) {
    tabs.delete(post);
    const rest = [...tabs.values()];
    const live = holder.current();
    if (live === null || rest.includes(live.uid)) return;
    const next = rest.at(-1);
    if (next === undefined) holder.drop();
    else holder.connect(next);
  }

  return {
    /** Adds a tab; `post` reaches it. Returns a function for its messages. */
    join(post: (message: HubMessage) => void) {
      return (message: TabMessage): void => {
        if (message.type === 'leave') return leave(post);
        tabs.delete(post);
        tabs.set(post, message.uid);
        const live = holder.current();
        if (live?.uid !== message.uid) {
          opener = post;
          holder.connect(message.uid, message);
        } else if (live.ready) sayHello(post, message.uid);
      };
    },
  };
}

/** What the tab fetched before it joined may be stale already. */
const sayHello = (post: (message: HubMessage) => void, uid: string) =>
  post({ uid, event: 'hello', data: JSON.stringify({ at: new Date().toISOString() }) });

/** When the server says whose stream it is, it must name the expected user. */
function helloFits(uid: string, data: string): boolean {
  const hello: unknown = attempt(() => JSON.parse(data));
  return !(typeof hello === 'object' && hello !== null && 'uid' in hello && hello.uid !== uid);
}
