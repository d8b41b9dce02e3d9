import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { createLocalTrust } from './platform/http/local-trust.ts';
import { silentLog } from './platform/log.ts';
import { createPayments } from './platform/payments/create-payments.ts';
import { webPages } from './web-pages.ts';

// Looks at the built pages: `npm run build` first.
const app = new Hono().get(
  '*',
  webPages({ current: null }, undefined, async () => announced),
);

let announced = '';
const READING = ['/', '/terms', '/privacy', '/contact'];
const NOWHERE = '/nowhere';
const APPLICATION = [
  '/login',
  '/signup',
  '/runtime',
  '/runtime?sessionId=01a1ff53-6e41-770c-b5bd-34c80f5547e5',
  '/library',
  '/explore',
  '/explore/somebody/something',
  '/memory',
  '/billing',
  '/account',
  '/usage',
  '/admin',
  '/admin/people/somebody',
  '/admin/library',
  '/admin/inbox',
  '/admin/providers',
  '/admin/settings',
  '/shared/0123456789012345678901234567890123456789abc',
  NOWHERE,
];

const INLINE = /<script\b(?![^>]*\bsrc=)[^>]*>(?<code>[\s\S]*?)<\/script>/gu;

async function read(path: string) {
  const answer = await app.request(path);
  expect([200, 404], 'run `npm run build` first').toContain(answer.status);
  expect(answer.status, path).toBe(path === NOWHERE ? 404 : 200);
  const html = await answer.text();
  const policy = answer.headers.get('content-security-policy') ?? '';
  const scripts = /script-src (?<sources>[^;]*)/u.exec(policy)?.groups?.sources?.split(' ') ?? [];
  return { html, policy, scripts, inline: [...html.matchAll(INLINE)].map((found) => found.groups?.code ?? '') };
}

it.each([...READING, ...APPLICATION])(
  'admits on %s no script but ours and those whose words it knows',
  async (path) => {
    const { html, policy, scripts, inline } = await read(path);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("object-src 'none'");
    const hashes = inline.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
    expect(hashes.length).toBeGreaterThan(0);
    expect(new Set(scripts)).toEqual(new Set(["'self'", ...hashes]));
    expect(html).not.toMatch(/<[^>]*\son[a-z]+\s*=/u);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//u);
  },
);

it.each([...READING, ...APPLICATION])(
  'has on %s what is announced, first in its body, and no script for it',
  async (path) => {
    const before = await read(path);
    expect(before.html).toMatch(/<body><div id="announcement-line"><\/div>/u);
    announced = '<p>Back at six, for $& and $1</p>';
    const { html, scripts } = await read(path);
    announced = '';
    expect(html).toContain('<body><div id="announcement-line" role="status"><p>Back at six, for $& and $1</p></div>');
    expect([scripts, html.length - before.html.length]).toEqual([before.scripts, 14 + 33]);
  },
);

it.each(READING)('gives %s without the application', async (path) => {
  const { html, inline } = await read(path);
  expect(html).not.toContain('modulepreload');
  expect(inline).toHaveLength(1);
});

it('names on /runtime the scripts of that page', async () => {
  const { html } = await read('/runtime');
  expect(html).toMatch(/<link rel="modulepreload" fetchpriority="low" href="\/assets\/runtime-[\w-]+\.js"/u);
  expect(html).toMatch(/<link rel="preload" href="\/assets\/source-sans-3-latin-[^"]+" as="font"/u);
  expect((await read('/account')).html).not.toContain('/assets/runtime-');
});

it('gives scripts as small as they get, and for good', async () => {
  const { html } = await read('/runtime');
  const script = /"(?<path>\/assets\/runtime-[\w-]+\.js)"/u.exec(html)?.groups?.path ?? '';
  const plain = await app.request(script);
  const small = await app.request(script, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(small.headers.get('content-encoding')).toBe('br');
  expect(small.headers.get('vary')).toMatch(/accept-encoding/iu);
  expect(small.headers.get('content-type')).toContain('text/javascript');
  expect(small.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const bytes = Buffer.from(await small.arrayBuffer());
  expect(brotliDecompressSync(bytes).toString()).toBe(await plain.text());
  expect((await app.request('/')).headers.get('cache-control')).toBe('no-cache');
});

it('gives a shared link a page that nobody indexes, keeps or previews, and that says nothing of what is shared', async () => {
  const answer = await app.request('/shared/0123456789012345678901234567890123456789abc');
  expect([answer.status, answer.headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  const html = await answer.text();
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toMatch(/<title>A shared conversation · [^<]+<\/title>/u);
  expect(html).not.toContain('0123456789');
  expect(html).toContain('Loading the conversation');
  expect((await app.request('/shared/a/b/c')).status).toBe(404);
  const more = await app.request('/shared/0123456789012345678901234567890123456789abc/continue');
  expect([more.status, more.headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
  expect(await more.text()).not.toContain('Loading the conversation');
});

it('has an icon at the address where browsers look by themselves', async () => {
  const answer = await app.request('/favicon.ico');
  expect([answer.status, answer.headers.get('location')]).toEqual([301, '/favicon.svg']);
  expect((await app.request('/favicon.svg')).headers.get('content-type')).toContain('image/svg+xml');
});

it('has the page that says “no money moves” only for who may rehearse, as each request comes', async () => {
  const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
  const config = readConfig({});
  const trust = createLocalTrust(config, silentLog);
  const payments = createPayments({ config, trust, callSelf: async () => ({ ok: true }) });
  const changing = new Hono().use(trust.watch).get(
    '*',
    webPages(payments, undefined, async () => ''),
  );
  const status = async (headers: Record<string, string> = {}) =>
    (await changing.request('http://localhost/sandbox/checkout.html', { headers }, env)).status;
  expect(await status()).toBe(200);
  expect(await status({ host: 'atelier.example' })).toBe(404);
  expect(await status()).toBe(200);
  expect(await status({ via: '1.1 proxy' })).toBe(404);
  expect(await status()).toBe(404);
  await payments.close();
});
