import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createClientAddress, networkOf } from './client-address.ts';

async function address(trusted: string[], socket: string, forwarded?: string) {
  const addressOf = createClientAddress(trusted);
  const app = new Hono().get('/', (c) => c.text(addressOf(c)));
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const env = { incoming: { socket: { remoteAddress: socket, remotePort: 1, remoteFamily: 'IPv4' } } };
  return (await app.request('/', { headers }, env)).text();
}

test('a forged header is ignored unless the socket is a trusted proxy', async () => {
  expect(await address([], '203.0.113.7', '1.2.3.4')).toBe('203.0.113.7');
  expect(await address(['10.0.0.0/8'], '203.0.113.7', '1.2.3.4')).toBe('203.0.113.7');
});

test('behind trusted proxies the rightmost hop that is not one counts', async () => {
  expect(await address(['10.0.0.0/8'], '10.1.2.3', '1.2.3.4, 203.0.113.7')).toBe('203.0.113.7');
  expect(await address(['10.0.0.0/8', '::1'], '::1', '1.2.3.4, 203.0.113.7, 10.9.9.9')).toBe('203.0.113.7');
  expect(await address(['10.0.0.0/8'], '::ffff:10.1.2.3', '::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(await address(['fe80::/10'], 'fe80::1%br-lan', '203.0.113.7')).toBe('203.0.113.7');
  expect(await address(['2001:db8::/32'], '2001:db8::5', '2001:dead::1')).toBe('2001:dead::1');
});

test('nonsense and an empty header leave the proxy itself', async () => {
  expect(await address(['10.0.0.1'], '10.0.0.1')).toBe('10.0.0.1');
  expect(await address(['10.0.0.1'], '10.0.0.1', '203.0.113.7, <script>')).toBe('10.0.0.1');
  expect(await address(['10.0.0.1'], '10.0.0.1', '10.0.0.1, 10.0.0.1')).toBe('10.0.0.1');
});

test('of IPv6 the /64 counts, however an address is written', () => {
  const written = [
    '2001:db8:0:7::1',
    '2001:DB8:0:7:ffff:ffff:ffff:ffff',
    '2001:0db8:0000:0007:1::',
    '2001:db8:0:7::1%eth0',
  ];
  expect(new Set(written.map(networkOf))).toEqual(new Set(['2001:db8:0:7::/64']));
  expect(networkOf('2001:db8:0:8::1')).not.toBe(networkOf('2001:db8:0:7::1'));
  expect([networkOf('203.0.113.7'), networkOf('::1')]).toEqual(['203.0.113.7', '0:0:0:0::/64']);
});
