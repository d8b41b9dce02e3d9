import { type Context, Hono } from 'hono';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { silentLog } from '../log.ts';
import { createLocalTrust } from './local-trust.ts';

/** How a process answers requests of these headers, one after another. */
async function ask(requests: Record<string, string>[], env: Record<string, string> = {}, url = 'http://localhost/') {
  const trust = createLocalTrust(readConfig(env), silentLog);
  const app = new Hono().use(trust.watch).get('*', (c: Context) => c.json(trust.refusal()));
  const answers: unknown[] = [];
  for (const headers of requests) answers.push(await (await app.request(url, { headers })).json());
  return answers;
}

test.each([
  'Forwarded',
  'X-Forwarded',
  'X-Forwarded-Host',
  'X-Forwarded-Anything',
  'X-Real-IP',
  'X-Original-Host',
  'CF-Connecting-IP',
  'CF-Ray',
  'CDN-Loop',
  'True-Client-IP',
  'Tailscale-User-Login',
])('%s is a proxy’s, and closes the process', async (name) => {
  expect(await ask([{}, { [name]: '127.0.0.1' }, {}])).toEqual([null, 'proxy', 'proxy']);
});

test.each([
  [{ host: '192.168.1.7:3000' }],
  [{ host: 'localhost.evil.example' }],
  [{ host: 'nonsense:port' }],
  [{ origin: 'null' }],
  [{ origin: 'http://localhost.evil.example' }],
])('an address of elsewhere closes nothing for others: %o', async (headers) => {
  expect(await ask([headers, {}])).toEqual(['address', null]);
});

test.each([
  [{ host: '[::1]:3000', origin: 'http://[::1]:3000' }],
  [{ host: 'localhost:8080', referer: 'http://localhost:8080/billing' }],
  [{ 'x-request-id': '7', 'accept-language': 'en' }],
])('this machine is known by each of its names: %o', async (headers) => {
  expect(await ask([headers])).toEqual([null]);
});

test('an address in the request line counts beside Host', async () => {
  expect(await ask([{ host: 'localhost' }], {}, 'http://evil.example/')).toEqual(['address']);
});

test.each([[{ HOST: '0.0.0.0' }], [{ PUBLIC_URL: 'https://atelier.example' }], [{ TRUSTED_PROXIES: '127.0.0.1' }]])(
  'by its settings others reach it: %o',
  async (env) => {
    expect(await ask([{}], env)).toEqual(['settings']);
  },
);
