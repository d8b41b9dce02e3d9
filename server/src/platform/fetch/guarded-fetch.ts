import dns from 'node:dns';
import { isIP } from 'node:net';
import type { Agent, buildConnector, RequestInit, Response } from 'undici';
import { loadOnce } from '../retry.ts';
import { type AllowedBlocks, mayReach } from './public-address.ts';

/** Why an address was not fetched, in a sentence that may be shown. */
export class FetchRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FetchRefused';
  }
}

export type Lookup = (
  hostname: string,
  options: dns.LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

interface Options {
  allowed: AllowedBlocks;
  /** Resolves names; the system's resolver unless a test replaces it. */
  lookup?: Lookup;
  /** How long a server may send nothing; 0 where the caller watches that. */
  silenceMs?: number;
}

const REFUSED = 'This address is not on the public internet, so it can’t be fetched.';
const HOPS_MAX = 5;
const SILENCE_MS = 15_000;
const CONNECT_MS = 10_000;

/**
 * The only way to fetch an address from a person or a model. The address is parsed once, by the parser that also connects. The literal,
 * every address that its name resolves to, and the peer of the open connection are all checked, at each hop.
 */
export function createGuardedFetch(options: Options) {
  const client = loadOnce(() => openClient(options));

  /** One request without redirects, with the signature of the platform's fetch. Throws FetchRefused. */
  async function once(input: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = checkUrl(input, options.allowed);
    const { fetch, agent } = await client();
    return fetch(url, { ...init, redirect: init.redirect ?? 'error', dispatcher: agent }).catch(rethrow);
  }

  /** Follows up to five redirects, each checked. One to another host isn't followed; `leadsTo` is its target. Throws FetchRefused. */
  async function follow(
    start: string,
    init: RequestInit = {},
  ): Promise<{ response: Response; url: string; leadsTo: URL | null }> {
    let url = start;
    for (let hop = 0; hop <= HOPS_MAX; hop += 1) {
      const response = await once(url, { ...init, redirect: 'manual' });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return { response, url, leadsTo: null };
      await response.body?.cancel();
      const next = URL.parse(location, url);
      if (next !== null && !staysAt(new URL(url), next))
        return { response, url, leadsTo: checkUrl(next, options.allowed) };
      url = next?.href ?? '';
    }
    throw new FetchRefused('The page redirects too often.');
  }

  return { once, follow, close: async () => (await client.begun())?.agent.destroy() };
}

/** Fetches a small file from an address that somebody else gave; null when it is larger than `maxBytes` or isn't there. Throws when unreachable. */
export async function fetchSmall(
  { follow }: Pick<ReturnType<typeof createGuardedFetch>, 'follow'>,
  url: string,
  maxBytes: number,
): Promise<Buffer | null> {
  const { response, leadsTo } = await follow(url, { signal: AbortSignal.timeout(15_000) });
  if (leadsTo !== null || !response.ok || response.body === null) {
    await response.body?.cancel();
    return null;
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.length;
    // Leaving the loop ends the transfer.
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Loaded with the first request: undici is large, and most processes fetch nothing for a long time. */
async function openClient(options: Options) {
  const undici = await import('undici');
  const agent = new undici.Agent({
    connect: guardedConnector(undici.buildConnector, options),
    maxRedirections: 0,
    headersTimeout: options.silenceMs ?? SILENCE_MS,
    bodyTimeout: options.silenceMs ?? SILENCE_MS,
  } as Agent.Options);
  return { fetch: undici.fetch, agent };
}

const nameOf = ({ host }: URL) => host.replace(/^www\./, '');

/** Whether a redirect stays on the same host, `www.` aside; it may switch to https, but not back. */
const staysAt = (from: URL, to: URL) =>
  nameOf(from) === nameOf(to) && (from.protocol === to.protocol || to.protocol === 'https:');

function checkUrl(input: string | URL, allowed: AllowedBlocks): URL {
  const url = URL.parse(String(input));
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new FetchRefused('Only addresses that begin with http:// or https:// can be fetched.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchRefused('An address that contains a user name or password can’t be fetched.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayReach(host, allowed)) throw new FetchRefused(REFUSED);
  return url;
}

function guardedConnector(createConnector: typeof buildConnector, { allowed, lookup = dns.lookup as Lookup }: Options) {
  const checkedLookup: Lookup = (hostname, lookupOptions, done) =>
    lookup(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      // One bad address is enough to refuse: we can't choose which one is used.
      const refused = addresses.length === 0 || addresses.some(({ address }) => !mayReach(address, allowed));
      return refused ? done(new FetchRefused(REFUSED), []) : done(null, addresses);
    });
  const connect = createConnector({
    timeout: CONNECT_MS,
    lookup: ((hostname: string, lookupOptions: dns.LookupOptions, done: (...answer: unknown[]) => void) =>
      checkedLookup(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
        if (error !== null || lookupOptions.all === true) return done(error, addresses);
        done(null, addresses[0]?.address, addresses[0]?.family);
      })) as never,
  });
  const guarded: buildConnector.connector = (target, done) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !mayReach(host, allowed)) return done(new FetchRefused(REFUSED), null);
    connect(target, (error, socket) => {
      if (error !== null) return done(error, null);
      if (!mayReach(socket.remoteAddress ?? '', allowed)) {
        socket.destroy();
        return done(new FetchRefused(REFUSED), null);
      }
      done(null, socket);
    });
  };
  return guarded;
}

/** undici wraps the connector's error; find the sentence inside. */
function rethrow(error: unknown): never {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchRefused) throw cause;
  }
  throw error;
}
