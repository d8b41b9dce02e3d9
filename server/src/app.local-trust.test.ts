import { type AddressInfo, connect, type Server } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { accountMails } from './features/accounts/accounts.mail.table.ts';
import { ORIGIN, type TestUser, testApp } from './testing/harness.ts';
import { closing } from './testing/lifetimes.ts';

// A proxy on the same machine makes everybody look local. Debian's nginx with a bare `proxy_pass` sends HTTP/1.0 and `Host: 127.0.0.1:PORT`.

const base = await closing(testApp());
const first = await base.signUp();

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of ends.splice(0)) await close();
});

interface Ask {
  path: string;
  body?: unknown;
  as?: TestUser;
  version?: '1.0' | '1.1';
  headers?: Record<string, string>;
}
type Manner = Pick<Ask, 'version' | 'headers'>;

/** A process as on a laptop, unless `env` says otherwise, with a real socket, and mail that waits in the database. */
async function start(env: Record<string, string> = {}) {
  const notices: Record<string, unknown>[] = [];
  const info = (event: string, fields = {}) => void (event.startsWith('http.') && notices.push({ event, ...fields }));
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_TO: 'desk@example.com' };
  const app = await testApp({
    env: { ...mail, ...env },
    database: base.deps.database,
    log: { info, error: () => {} },
  });
  const server = await new Promise<ServerType>((done) => {
    const made = serve({ fetch: app.app.fetch, port: 0, hostname: '127.0.0.1' }, () => done(made));
  });
  const { port } = server.address() as AddressInfo;
  ends.push(async () => {
    (server as Server).close();
    await app.close();
  });

  async function send({ path, body, as, version = '1.1', headers = {} }: Ask) {
    const here = `127.0.0.1:${port}`;
    const sent = body === undefined ? '' : JSON.stringify(body);
    const lines = Object.entries({
      host: here,
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(sent.length) }),
      ...(as !== undefined && { cookie: as.cookie, origin: `http://${here}` }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(port, '127.0.0.1');
    socket.write(`${sent === '' ? 'GET' : 'POST'} ${path} HTTP/${version}\r\n${lines.join('')}\r\n${sent}`);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    const json = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
    return {
      status: Number(answer.slice(9, 12)),
      body: /content-type: application\/json/iu.test(answer) ? JSON.parse(json) : answer,
    };
  }
  return { app, send, notices };
}
type Laptop = Awaited<ReturnType<typeof start>>;

/** Which of what is for this machine alone is granted to requests of this manner. */
async function granted({ app, send }: Laptop, manner: Manner = {}): Promise<string[]> {
  const as = await base.signUp();
  const headers = { origin: app.deps.config.PUBLIC_URL ?? ORIGIN };
  const opened = await app.request('POST', '/api/billing/checkout', { as, headers });
  const ask = (path: string, body?: unknown) => send({ path, as, ...(body !== undefined && { body }), ...manner });
  const me = (await ask('/api/me')).body;
  expect(me.operator, 'but the first').toBe(false);
  const ofFirst = (await send({ path: '/api/me', as: first, ...manner })).body;
  const rights = {
    'sandbox shown': (await ask('/api/billing')).body.provider === 'sandbox',
    checkout: (await ask('/api/billing/checkout', {})).status === 200,
    outcome: (await ask(`/api/sandbox/checkout/${opened.body.accessCode}`, { outcome: 'decline' })).status === 200,
    operator: ofFirst.operator === true,
    'mail shown': me.security?.mail === true && (await ask('/api/auth/recovery')).body.byMail === true,
    mail: await isMailed(() => ask('/api/auth/request-password-reset', { email: as.email }), as.email),
    metrics: (await ask('/metrics')).status === 200,
  };
  return Object.entries(rights).flatMap(([name, isGranted]) => (isGranted ? [name] : []));
}

async function isMailed(act: () => Promise<unknown>, recipient: string): Promise<boolean> {
  await act();
  return (await base.deps.db.$count(accountMails, eq(accountMails.recipient, recipient))) > 0;
}

const EVERYTHING = ['sandbox shown', 'checkout', 'outcome', 'operator', 'mail shown', 'mail', 'metrics'];

test('on a laptop whoever asks may do everything', async () => {
  const laptop = await start();
  expect(await granted(laptop)).toEqual(EVERYTHING);
  expect(await granted(laptop, { headers: { host: 'localhost:3000', origin: 'http://localhost:3000' } })).toEqual(
    EVERYTHING,
  );
  expect(laptop.notices).toEqual([]);
});

test.each<[string, Manner]>([
  ['HTTP/1.0', { version: '1.0' }],
  ['x-forwarded-for', { headers: { 'X-Forwarded-For': '127.0.0.1' } }],
  ['via', { headers: { Via: '1.1 proxy' } }],
])('a sign of a proxy closes it for the whole process: %s', async (sign, manner) => {
  const laptop = await start();
  expect(await granted(laptop, manner)).toEqual([]);
  expect(await granted(laptop), 'also for those who ask from here afterwards').toEqual([]);
  expect(laptop.notices).toHaveLength(1);
  expect(laptop.notices[0]).toMatchObject({ event: 'http.unnamed_proxy', peer: '127.0.0.1', sign });
  for (const word of ['PUBLIC_URL', 'TRUSTED_PROXIES']) expect(laptop.notices[0]?.reason).toContain(word);
  const as = await laptop.app.signUp();
  const billing = await laptop.app.request('GET', '/api/billing', { as });
  expect(billing.body).toMatchObject({ provider: 'off', offBecause: 'proxy' });
  const refused = await laptop.app.request('POST', '/api/billing/checkout', { as });
  expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('PUBLIC_URL')]);
});

test.each<[string, Manner]>([
  ['host', { headers: { host: 'atelier.example:3000' } }],
  ['origin', { headers: { origin: 'https://atelier.example' } }],
  ['page', { headers: { referer: 'https://atelier.example/billing' } }],
])('a foreign %s gets nothing, and takes nothing from others', async (_, manner) => {
  const laptop = await start();
  expect(await granted(laptop, manner)).toEqual([]);
  expect(await granted(laptop)).toEqual(EVERYTHING);
});

test('a page at a foreign address reads why nothing can be bought there', async () => {
  const laptop = await start();
  const as = await laptop.app.signUp();
  const { body } = await laptop.send({ path: '/api/billing', as, headers: { host: 'atelier.example' } });
  expect(body).toMatchObject({ provider: 'off', offBecause: 'address' });
});

test('a probe of the health pages over HTTP/1.0 closes nothing', async () => {
  const laptop = await start();
  for (const path of ['/healthz', '/readyz']) {
    expect((await laptop.send({ path, version: '1.0' })).status).toBe(200);
  }
  expect(await granted(laptop)).toEqual(EVERYTHING);
});

test('behind a proxy that is named everything works that was asked for, and nothing is said', async () => {
  const named = await start({
    PUBLIC_URL: 'http://atelier.example',
    TRUSTED_PROXIES: '127.0.0.1',
    PAYSTACK_SANDBOX: '1',
    METRICS_TOKEN: 'a token of some length',
  });
  const address = { host: 'atelier.example', origin: 'http://atelier.example', 'x-forwarded-for': '203.0.113.7' };
  const manner = { headers: { ...address, authorization: 'Bearer a token of some length' } };
  expect(await granted(named, manner)).toEqual(EVERYTHING.filter((right) => right !== 'operator'));
  expect(named.notices).toEqual([]);
});

test('an operator by name stays one', async () => {
  const laptop = await start({ OPERATORS: 'ada@example.com' });
  const as = await laptop.app.signUp();
  await laptop.app.deps.db.execute(`update "user" set email = 'ada@example.com' where id = '${as.uid}'`);
  const isOne = async () => (await laptop.send({ path: '/api/me', as, version: '1.0' })).body.operator;
  expect(await isOne(), 'before the email is confirmed').toBe(false);
  await laptop.app.deps.db.execute(`update "user" set email_verified = true where id = '${as.uid}'`);
  expect(await isOne()).toBe(true);
});

test.each<[string, Record<string, string>, Manner]>([
  ['no proxy is named', {}, { headers: { 'x-forwarded-for': '203.0.113.7' } }],
  ['another one is named', { TRUSTED_PROXIES: '10.0.0.1' }, { headers: { 'x-forwarded-for': '203.0.113.7' } }],
  ['the proxy says nothing', { TRUSTED_PROXIES: '127.0.0.1' }, { version: '1.0' }],
])('where clients can’t be told apart, the log says so once: %s', async (_, env, manner) => {
  const server = await start({ PUBLIC_URL: 'https://atelier.example', ...env });
  await server.send({ path: '/api/me', ...manner });
  await server.send({ path: '/api/me', ...manner });
  expect(server.notices).toHaveLength(1);
  expect(server.notices[0]).toMatchObject({ event: 'http.unnamed_proxy', peer: '127.0.0.1' });
  expect(server.notices[0]?.reason).toContain('TRUSTED_PROXIES');
});

test('a sign-up that is refused because PUBLIC_URL is missing is logged', async () => {
  const laptop = await start();
  const body = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };
  const path = '/api/auth/sign-up/email';
  const refused = await laptop.send({ path, body, headers: { origin: 'https://atelier.example' } });
  expect(refused.status).toBe(403);
  expect(refused.body.error.message).toContain('PUBLIC_URL');
  expect(laptop.notices).toEqual([{ event: 'http.origin_refused', reason: expect.stringContaining('PUBLIC_URL') }]);
  const named = await start({ PUBLIC_URL: 'https://atelier.example' });
  expect((await named.send({ path, body, headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect(named.notices).toEqual([]);
});
