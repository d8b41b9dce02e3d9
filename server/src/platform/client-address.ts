import { isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import { isWithin, readBlocks } from './fetch/public-address.ts';

/** Requests made inside the process have no socket. */
const NO_SOCKET = '127.0.0.1';

/** Where a request comes from, as an IP address; never what the client merely claims. */
export type ClientAddress = (c: Context) => string;

/**
 * Tells a request's client address: the socket's, or, where the socket is a trusted proxy, the rightmost hop of X-Forwarded-For
 * that is not one. Throws for an entry of `trustedProxies` that is neither an address nor a CIDR block.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  for (const entry of trustedProxies) checkProxy(entry);
  const trusted = readBlocks(trustedProxies);
  const isTrusted = (address: string) => isWithin(ipaddr.process(withoutZone(address)), trusted);

  return (c) => {
    let client = peerAddress(c);
    const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => plain(hop.trim()));
    while (isTrusted(client)) {
      const hop = hops.pop();
      // A proxy of ours that passes on nonsense is as near to the client as we can get.
      if (hop === undefined || isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
}

/** Stricter than ipaddr.js, which reads `10/8` as the block around 0.0.0.10. */
function checkProxy(entry: string): void {
  const [address = ''] = entry.split('/', 1);
  if (isIP(address) === 0 || (entry !== address && !ipaddr.isValidCIDR(entry))) {
    throw new Error(`TRUSTED_PROXIES: “${entry}” is neither an IP address nor a CIDR block such as 10.0.0.0/8.`);
  }
}

/** The address at the other end of the connection itself, a proxy's where one stands between. */
export const peerAddress = (c: Context): string => plain(socketAddress(c) ?? NO_SOCKET);

function socketAddress(c: Context): string | undefined {
  const env: unknown = c.env;
  const connected = typeof env === 'object' && env !== null && ('incoming' in env || 'server' in env);
  return connected ? getConnInfo(c).remote.address : undefined;
}

/** What counts as one sender: an IPv4 address, or of IPv6 the /64, of which each line has at least one with all its addresses. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  return `${ipaddr.IPv6.parse(withoutZone(address))
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

const withoutZone = (address: string) => address.replace(/%.*/, '');

/** An IPv4 address that came over an IPv6 socket, as IPv4. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');
