import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Address blocks that the operator opens for tools, for example an intranet. */
export type AllowedBlocks = ReturnType<typeof readBlocks>;

/** The first of these that is neither an address nor a CIDR block. Stricter than ipaddr.js, which reads `10/8` as the block around 0.0.0.10. */
export const findNoBlock = (blocks: readonly string[]): string | undefined =>
  blocks.find((block) => {
    const [address = ''] = block.split('/', 1);
    return isIP(address) === 0 || (block !== address && !ipaddr.isValidCIDR(block));
  });

/** Parses addresses and CIDR blocks, which the configuration has checked. */
export function readBlocks(blocks: readonly string[]) {
  return blocks.map((block) => {
    if (isIP(block) !== 0) {
      const address = ipaddr.process(block);
      return { address, bits: address.kind() === 'ipv4' ? 32 : 128 };
    }
    const [address, bits] = ipaddr.parseCIDR(block);
    return { address, bits };
  });
}

export const isWithin = (address: ipaddr.IPv4 | ipaddr.IPv6, blocks: AllowedBlocks): boolean =>
  blocks.some((block) => block.address.kind() === address.kind() && address.match(block.address, block.bits));

/**
 * Whether an address is in the public internet, or in a block that the operator opened. Everything else is refused: loopback, link-local,
 * private, metadata, multicast, and the forms that contain an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function mayReach(address: string, allowed: AllowedBlocks = []): boolean {
  const bare = address.replace(/^\[|\]$/g, '').split('%', 1)[0] ?? '';
  // `parse` keeps odd IPv4 forms as they are; `process` would unwrap a mapped one, which must be refused.
  if (!ipaddr.isValid(bare)) return false;
  const parsed = ipaddr.parse(bare);
  if (isWithin(parsed, allowed)) return true;
  return parsed.range() === 'unicast' && !(parsed.kind() === 'ipv6' && !isGlobalUnicast(parsed));
}

/** Only 2000::/3 of IPv6 is public; deprecated and unassigned blocks are outside it. */
const isGlobalUnicast = (address: ipaddr.IPv4 | ipaddr.IPv6) => ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
