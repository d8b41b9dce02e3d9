import { isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import { isWithin, readBlocks } from './fetch/public-address.ts';

/** Requests made inside the process have no socket. */
const NO_SOCKET = '127.0.0.1';

/** The IP address of a request; never what the client merely claims. */
export type ClientAddress = (c: Context) => string;

/**
 * Finds the client's address: the socket's or, when the socket is a trusted proxy, the rightmost untrusted hop of X-Forwarded-For.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createIsTrusted(trustedProxies);
  return (c) => {
    let client = peerAddress(c);
    const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => plain(hop.trim()));
    while (isTrusted(client)) {
      const hop = hops.pop();
      // When our own proxy passes on nonsense, its address is the closest we can get.
      if (hop === undefined || isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
}

/** Whether an address is a trusted proxy's. */
export function createIsTrusted(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = readBlocks(trustedProxies);
  return (address) => isWithin(ipaddr.process(withoutZone(address)), trusted);
}

/** The address at the other end of the connection, which may be a proxy's. */
export const peerAddress = (c: Context): string => plain(socketAddress(c) ?? NO_SOCKET);

function socketAddress(c: Context): string | undefined {
  const env: unknown = c.env;
  const connected = typeof env === 'object' && env !== null && ('incoming' in env || 'server' in env);
  return connected ? getConnInfo(c).remote.address : undefined;
}

/** The first parts of an IPv6 address. */
const block = (address: string, parts: number) =>
  `${ipaddr.IPv6.parse(withoutZone(address))
    .parts.slice(0, parts)
    .map((part) => part.toString(16))
    .join(':')}::/${parts * 16}`;

/** One sender: an IPv4 address, or the /64 of an IPv6 address, because each line has at least a whole /64. */
export const networkOf = (address: string) => (isIP(address) === 6 ? block(address, 4) : address);

/** One customer of a provider: an IPv4 address, or the /48 of an IPv6 address, which has 65,536 of the networks above. */
export const siteOf = (address: string) => (isIP(address) === 6 ? block(address, 3) : address);

/** The first part of an address, which tells somewhere else from here and no household from its neighbours: a /24, or the /48 of IPv6. */
export const prefixOf = (address: string) =>
  isIP(address) === 6 ? siteOf(address) : `${address.split('.').slice(0, 3).join('.')}.0/24`;

const withoutZone = (address: string) => address.replace(/%.*/, '');

/** An IPv4 address that came over an IPv6 socket, as IPv4. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');
