import { AsyncLocalStorage } from 'node:async_hooks';
import type { Distrust } from '@atelier/contract/errors';
import type { Context, Next } from 'hono';
import { type Config, LOOPBACK } from '../../config.ts';
import { createIsTrusted, peerAddress } from '../client-address.ts';
import type { Log } from '../log.ts';

/**
 * Decides whether who asks is at this machine, as on a laptop that nobody else can reach: they may rehearse payments, read the metrics and
 * advice for operators, and be mailed links to `localhost`. Settings alone can't tell: a proxy that they don't name makes everybody look local.
 */
export type LocalTrust = ReturnType<typeof createLocalTrust>;

type Address = Pick<Config, 'HOST' | 'PUBLIC_URL' | 'TRUSTED_PROXIES'>;

/** Whether only this machine can reach the server, by its settings: it listens on loopback, without a public address or a proxy. */
function isLocalOnly({ HOST, PUBLIC_URL, TRUSTED_PROXIES }: Address): boolean {
  const named = PUBLIC_URL === undefined || LOOPBACK.has(new URL(PUBLIC_URL).hostname);
  return LOOPBACK.has(HOST) && named && TRUSTED_PROXIES.length === 0;
}

/** Headers by which proxies, tunnels and content networks say for whom they ask. */
const PROXY_HEADERS = new Set('forwarded via x-forwarded x-real-ip x-client-ip true-client-ip cdn-loop'.split(' '));
const PROXY_PREFIXES = ['x-forwarded-', 'x-original-', 'x-envoy-', 'cf-', 'fastly-', 'fly-', 'tailscale-'];

/** Supervisors ask these with the simplest clients, and they grant nothing. */
const PROBED = new Set(['/healthz', '/readyz']);

/** What no browser and hardly a program does by itself: the name of a proxy's header, or the version that nginx speaks by default. */
function proxySign(c: Context): string | null {
  if (PROBED.has(c.req.path)) return null;
  for (const name of c.req.raw.headers.keys()) {
    if (PROXY_HEADERS.has(name) || PROXY_PREFIXES.some((prefix) => name.startsWith(prefix))) return name;
  }
  const { incoming }: { incoming?: { httpVersion?: string } } = c.env ?? {};
  return incoming?.httpVersion === '1.0' ? 'HTTP/1.0' : null;
}

const isHere = (url: string) => LOOPBACK.has(URL.parse(url)?.hostname ?? '');

/** Whether a request names another machine, in its address or as the page that it comes from. Any page can have a browser send such a one. */
function isForeign(c: Context): boolean {
  const { host, origin, referer } = c.req.header();
  const named = [c.req.url, host === undefined ? undefined : `http://${host}`, origin, referer];
  return !LOOPBACK.has(peerAddress(c)) || named.some((url) => url !== undefined && !isHere(url));
}

const CLOSED =
  'a request came through a proxy that the settings don’t name, so nobody counts as this machine: no test checkout, no operators but OPERATORS, no mail to people, no metrics without METRICS_TOKEN. Set PUBLIC_URL to the address people use and TRUSTED_PROXIES to the proxy’s, and restart';
const MIXED =
  'a request came through a proxy that doesn’t say for whom, or that TRUSTED_PROXIES doesn’t name: all who come through it count as one address and share its sign-ins. If it is yours, set TRUSTED_PROXIES to its address, and let it send X-Forwarded-For';

/** One for each process. A proxy's sign closes it until the next start, because other requests of that proxy may have none. */
export function createLocalTrust(config: Address, log: Log) {
  const isLocal = isLocalOnly(config);
  const isTrusted = createIsTrusted(config.TRUSTED_PROXIES);
  const foreign = new AsyncLocalStorage<boolean>();
  let hasProxy = false;

  const notice = (c: Context) => {
    const peer = peerAddress(c);
    if (isTrusted(peer) && c.req.header('x-forwarded-for') !== undefined) return;
    const sign = proxySign(c);
    if (sign === null) return;
    hasProxy = true;
    log.info('http.unnamed_proxy', { sign, peer, reason: isLocal ? CLOSED : MIXED });
  };

  return {
    /** Null where the request at hand, or work that no request asked for, is of this machine. */
    refusal(): Distrust | null {
      if (!isLocal) return 'settings';
      if (hasProxy) return 'proxy';
      return foreign.getStore() === true ? 'address' : null;
    },
    /** Whether a request has shown a proxy that the settings don't name. */
    hasUnnamedProxy: () => hasProxy,
    /** Looks at each request, before anything asks about it. */
    watch: (c: Context, next: Next): Promise<void> => {
      if (!hasProxy) notice(c);
      return isLocal ? foreign.run(isForeign(c), next) : next();
    },
  };
}
