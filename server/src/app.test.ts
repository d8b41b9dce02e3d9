import { SENTENCES } from '@atelier/contract/errors';
import { expect, it } from 'vitest';
import { measureInstallation } from './features/operator/figures.service.ts';
import { silentLog } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { eventually } from './testing/eventually.ts';
import { ORIGIN, type TestApp, testApp } from './testing/harness.ts';
import { closing } from './testing/lifetimes.ts';

const app = await closing(testApp());

it('lets no browser keep an answer of the API, whatever it says', async () => {
  const ada = await app.signUp();
  const paths = [
    '/api/sessions',
    '/api/auth/get-session',
    '/api/explore',
    '/api/nothing',
    '/api/export',
    '/api/openapi.json',
  ];
  for (const path of [...paths, '/api/live']) {
    const ended = new AbortController();
    const answer = await app.app.request(path, { headers: { cookie: ada.cookie }, signal: ended.signal });
    const isStream = path === '/api/live';
    expect([path, answer.headers.get('cache-control')]).toEqual([
      path,
      isStream ? 'no-store, no-transform' : 'no-store',
    ]);
    expect([path, answer.headers.get('x-accel-buffering')], 'for proxies').toEqual([path, isStream ? 'no' : null]);
    expect(answer.headers.get('content-security-policy'), path).toContain("default-src 'none'");
    await answer.body?.cancel();
  }
  const signedOut = await app.request('GET', '/api/sessions');
  expect(signedOut.headers.get('cache-control')).toBe('no-store');
});

it('lets no page frame an answer, whatever it is: a figure, a file, an error, a method that there isn’t', async () => {
  const paths = ['/', '/healthz', '/readyz', '/metrics', '/robots.txt', '/favicon.ico', '/favicon.svg', '/nowhere'];
  const more = ['/assets/none.js', '/v1/models', '/mcp/nobody', '/api/nothing', '/api/mcp-servers/signed-in'];
  const gets = [...paths, ...more].map((path) => ({ method: 'GET', path }));
  const others = ['POST', 'OPTIONS', 'DELETE'].map((method) => ({ method, path: '/nowhere' }));
  for (const { method, path } of [...gets, ...others]) {
    const answer = await app.app.request(path, { method });
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy, `${method} ${path}`).toContain("frame-ancestors 'none'");
    expect(policy, `${method} ${path}`).toContain("base-uri 'none'");
    expect(policy, `${method} ${path}`).toMatch(/default-src 'none'|object-src 'none'/u);
    expect(answer.headers.get('x-content-type-options'), `${method} ${path}`).toBe('nosniff');
  }
});

it('describes what a route takes, and whom it is for', async () => {
  const { body } = await app.request('GET', '/api/openapi.json');
  expect(JSON.stringify(body.paths['/api/agents'].post.requestBody)).toContain('temperature');
  expect(body.paths['/api/search'].get).toMatchObject({ description: 'For Pro accounts.' });
  const docs = await app.request('GET', '/api/docs');
  expect(docs.headers.get('content-type')).toContain('text/html');
  expect(docs.body).toContain('POST /api/agents');
});

it('counts what it does, and tells it to this machine alone where there is no token', async () => {
  await app.request('GET', '/healthz');
  const answer = await app.request('GET', '/metrics');
  expect(answer.body).toContain('http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}');
  expect(answer.body).toContain('nodejs_eventloop_lag_p99_seconds');
  for (const kind of ['database', 'files', 'attachments']) {
    expect(answer.body).toMatch(new RegExp(`\nstorage_bytes\\{kind="${kind}"\\} \\d`, 'u'));
  }
  expect(answer.body).toContain('\nmessages_waiting 0\n');
  const from = (remoteAddress: string) => {
    const env = { incoming: { socket: { remoteAddress, remotePort: 1, remoteFamily: 'IPv4' } } };
    return app.app.request(`${ORIGIN}/metrics`, {}, env);
  };
  expect((await from('::ffff:127.0.0.1')).status).toBe(200);
  expect((await from('203.0.113.7')).status).toBe(403);
});

it('counts the jobs of a queue, and leaves out what the database doesn’t answer', async () => {
  const { executeSql } = app.deps.database;
  await executeSql(
    `insert into pgboss.job_common (name, state, singleton_on) values ('runs.title', 'failed', now())`,
    [],
  );
  const read = async (path: TestApp) => (await path.request('GET', '/metrics')).body;
  // What the database answers late is left out.
  await eventually(async () => expect(await read(app)).toContain('\njobs{queue="runs.title",state="failed"} 1\n'));
  const db = { execute: () => Promise.reject(new Error('away')), $count: () => new Promise(() => {}) };
  const metrics = createMetrics();
  measureInstallation({ db: db as unknown as TestApp['deps']['db'], models: app.deps.models, metrics });
  expect(await metrics.text()).not.toMatch(/^(?:jobs|messages_waiting|storage_bytes|runs_in_flight)/mu);
});

it.each([
  ['HOST', '0.0.0.0'],
  ['PUBLIC_URL', 'https://atelier.example'],
  ['TRUSTED_PROXIES', '127.0.0.1'],
])('tells no figures without a token where others can reach it: %s=%s', async (variable, value) => {
  const open = await testApp({ env: { [variable]: value }, database: app.deps.database });
  expect((await open.request('GET', '/metrics')).status).toBe(403);
  await open.close();
});

it('tells its figures to anybody with the token', async () => {
  const env = { METRICS_TOKEN: 'a token of some length', PUBLIC_URL: 'https://atelier.example' };
  const guarded = await testApp({ env, database: app.deps.database });
  const read = (authorization: string) => guarded.request('GET', '/metrics', { headers: { authorization } });
  expect((await read('Bearer wrong')).status).toBe(403);
  expect((await read('Bearer a token of some length')).status).toBe(200);
  await guarded.close();
});

it('tells that it lives and that it is ready', async () => {
  expect((await app.request('GET', '/healthz')).status).toBe(200);
  expect((await app.request('GET', '/readyz')).status).toBe(200);
});

it('answers 404 in the error shape under /api', async () => {
  const answer = await app.request('GET', '/api/nothing-here');
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
});

it.each([
  ['missing', undefined],
  ['foreign', 'https://evil.example'],
  ['null', 'null'],
  ['a name that was pointed at us', 'http://localhost.evil.example'],
])('refuses a state-changing request with a cookie whose Origin is %s', async (_what, origin) => {
  const ada = await app.signUp();
  const response = await app.app.request(`${ORIGIN}/api/agents`, {
    method: 'POST',
    headers: { cookie: ada.cookie, 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) },
    body: JSON.stringify({ name: 'n', prompt: 'p' }),
  });
  expect(response.status).toBe(403);
});

it('refuses changes with 503 while the disk has no room, goes on reading and deleting, and says so at /readyz', async () => {
  let room = true;
  const database = { ...app.deps.database, hasRoom: async () => room };
  const loggedEvents: string[] = [];
  const small = await testApp({ database, log: { ...silentLog, info: (event) => void loggedEvents.push(event) } });
  try {
    const ada = await small.signUp();
    const agent = { name: 'Nora', prompt: 'Be kind.' };
    expect((await small.request('POST', '/api/agents', { as: ada, body: agent })).status).toBe(201);
    room = false;
    for (const [method, path] of [
      ['POST', '/api/agents'],
      ['PUT', '/api/agents/nora'],
      ['POST', '/api/auth/sign-in/email'],
      ['GET', '/readyz'],
    ] as const) {
      const answer = await small.request(method, path, { as: ada, ...(method === 'GET' ? {} : { body: agent }) });
      expect([path, answer.status, answer.body.error]).toEqual([
        path,
        503,
        { code: 'unavailable', message: SENTENCES.diskFull },
      ]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await small.request('GET', '/api/agents', { as: ada })).body.agents).toHaveLength(1);
    expect((await small.request('DELETE', '/api/agents/nora', { as: ada })).status).toBe(204);
    expect(loggedEvents.filter((event) => event === 'database.full')).toHaveLength(1);
    room = true;
    expect((await small.request('GET', '/readyz')).status).toBe(200);
    expect((await small.request('POST', '/api/agents', { as: ada, body: agent })).status).toBe(201);
  } finally {
    await small.close();
  }
});

it('over https browsers are to use nothing else for two years, and the page of the interface loads nothing', async () => {
  const secure = await testApp({ env: { PUBLIC_URL: 'https://atelier.example' } });
  const page = await secure.request('GET', '/api/docs');
  expect(page.status).toBe(200);
  expect(page.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  await secure.close();
});
