import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { closing } from '../../testing/lifetimes.ts';
import { listen } from '../../testing/listen.ts';
import { createGuardedFetch, FetchRefused, type Lookup } from './guarded-fetch.ts';
import { mayReach, readBlocks } from './public-address.ts';

let seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(request.url ?? '');
  const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
  if (to !== null) response.writeHead(302, { location: to }).end();
  else response.end('hello');
});
const { port } = await closing(listen(server, 0, '::'));

const INSIDE = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7F.1',
  '127.0x1',
  '%31%32%37.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  'localhost',
  'LOCALHOST',
  'ⓛocalhost',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.0.1',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[::ffff:0:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[5f00::1]',
];

describe('what is not in the public internet', () => {
  it.each(INSIDE)('%s is refused, and nothing arrives', async (host) => {
    const guarded = createGuardedFetch({ allowed: [] });
    seen = [];
    await expect(guarded.follow(`http://${host}:${port}/secret`)).rejects.toThrow(FetchRefused);
    expect(seen).toEqual([]);
    await guarded.close();
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://x/',
    'data:text/plain,x',
    'nonsense',
    '',
    '//x/y',
    'http://a:b@example.com/',
  ])('%s is not fetched at all', async (url) => {
    const guarded = createGuardedFetch({ allowed: [] });
    await expect(guarded.follow(url)).rejects.toThrow(FetchRefused);
    await guarded.close();
  });
});

/** Names resolve to what the test says, one answer a question. */
const resolving =
  (...answers: string[][]): Lookup =>
  (_name, _options, done) => {
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

describe('names', () => {
  it.each([
    ['a private address', ['10.0.0.1']],
    ['one private address among public ones', ['93.184.216.34', '127.0.0.1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['nothing', []],
  ])('that resolve to %s are refused', async (_what, addresses) => {
    const guarded = createGuardedFetch({ allowed: [], lookup: resolving(addresses) });
    seen = [];
    await expect(guarded.follow(`http://rebind.test:${port}/`)).rejects.toThrow(FetchRefused);
    expect(seen).toEqual([]);
    await guarded.close();
  });

  it('that change their answer between two requests are refused at the second', async () => {
    const lookup = resolving(['127.0.0.1'], ['127.0.0.2']);
    const guarded = createGuardedFetch({ allowed: readBlocks(['127.0.0.1']), lookup });
    expect(await (await guarded.follow(`http://rebind.test:${port}/first`)).response.text()).toBe('hello');
    await guarded.close();
    const again = createGuardedFetch({ allowed: readBlocks(['127.0.0.1']), lookup });
    await expect(again.follow(`http://rebind.test:${port}/second`)).rejects.toThrow(FetchRefused);
    expect(seen.at(-1)).toBe('/first');
    await again.close();
  });
});

describe('redirects', () => {
  const guarded = () => createGuardedFetch({ allowed: readBlocks(['127.0.0.1']) });
  const to = (target: string) => `http://127.0.0.1:${port}/?to=${encodeURIComponent(target)}`;

  it.each([
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://169.254.169.254/latest',
    'http://0x7f000002/',
    'file:///etc/passwd',
    'http://10.1.1.1/',
  ])('to %s are refused', async (target) => {
    const one = guarded();
    await expect(one.follow(to(target))).rejects.toThrow(FetchRefused);
    await one.close();
  });

  it('to a page that may be fetched are followed, but not for ever', async () => {
    const one = guarded();
    const { response, url } = await one.follow(to('/there'));
    expect([await response.text(), new URL(url).pathname]).toEqual(['hello', '/there']);
    await expect(one.follow(to(to(to(to(to(to('/deep')))))))).rejects.toThrow('redirects too often');
    await one.close();
  });
});

it('knows public addresses, and blocks that the operator opens', () => {
  for (const open of ['8.8.8.8', '93.184.216.34', '2606:4700::1111']) expect(mayReach(open), open).toBe(true);
  const intranet = readBlocks(['10.1.0.0/16', 'fd00::/8']);
  expect(['10.1.2.3', 'fd00::1'].map((a) => mayReach(a, intranet))).toEqual([true, true]);
  expect(['10.2.0.1', '::ffff:10.1.2.3', 'nonsense', ''].map((a) => mayReach(a, intranet))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
