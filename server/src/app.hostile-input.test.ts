import { afterEach, expect, it } from 'vitest';
import { rateLimit } from './features/accounts/accounts.identity.table.ts';
import { effort, shareOf } from './testing/effort.ts';
import { describeOperations, fillPath, furnish, type Operation } from './testing/every-route.ts';
import { cookieOf, PASSWORD, testApp } from './testing/harness.ts';
import { hostileBodies, PLACE, sampleOf } from './testing/hostile-input.ts';
import { closing } from './testing/lifetimes.ts';

const DEEP = 10_000;
const cursor = (json: string) => Buffer.from(json).toString('base64url');

const DATES = ['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', '0000-01-01T00:00:00.000Z'];

/** Cursors that decode, but to nothing of ours. */
const CURSORS = [
  ...DATES.map((date) => cursor(JSON.stringify([date, PLACE]))),
  ...[
    'null',
    '{}',
    '[]',
    '[null,null]',
    '[true,{}]',
    `[1e400,"${PLACE}"]`,
    `[-1,"${PLACE}"]`,
    `[2147483648,"${PLACE}"]`,
  ].map(cursor),
  cursor(`["1969-12-31T23:59:59.999Z","${PLACE}"]`),
  cursor('["2026-01-01T00:00:00.000Z","\\u0000"]'),
  cursor('{"__proto__":["2026-01-01T00:00:00.000Z",1]}'),
  '%%%',
];

/** For a place in a path or a query, as it is written there. */
const ADDRESS_PARTS = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%zz',
  'x'.repeat(1_000_000),
  '__proto__',
  'constructor',
  '1e400',
  '-1e400',
  'NaN',
  '..%2f..%2fetc',
  encodeURIComponent("';--\u202e\u{1F600}"),
  ...DATES.map(encodeURIComponent),
  ...CURSORS.map(encodeURIComponent),
];

/** For a value in a JSON body, as it is written there. */
const JSON_VALUES = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  JSON.stringify('x'.repeat(1_000_000)),
  JSON.stringify('x'.repeat(200_000)),
  '"__proto__"',
  '"constructor"',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  '1e400',
  '-1e400',
  '1.5',
  '-0',
  'null',
  'true',
  '[]',
  '["\\u0000"]',
  '["\\ud800"]',
  ...DATES.map((date) => JSON.stringify(date)),
];

/** Header values that a client may send with any request. */
const HEADER_VALUES = ['\u00ff\u00fe', '__proto__', '1e400', '-1', 'NaN', 'x'.repeat(100_000), ';=,"\\'];

const app = await closing(testApp());
const ada = await app.signUpPro();
const known = await furnish(app, ada);
const operations = await describeOperations(app);
afterEach(async () => {
  // Had something signed her out, nothing after it would have been tried.
  expect((await app.request('GET', '/api/me', { as: ada })).status).toBe(200);
  expect((await app.request('GET', `/api/sessions/${known.sessionId}`, { as: ada })).status).toBe(200);
});

/** A twelfth for each place: whatever is hostile meets each twelfth. */
const some = shareOf(12);

/** What was answered with 5xx, or not at all. */
const failures: string[] = [];
let asked = 0;

async function send(
  { method, path }: Operation,
  address: string,
  more: { body?: string; headers?: Record<string, string> },
) {
  asked += 1;
  if (asked % 4 === 0) await app.deps.db.delete(rateLimit);
  const what = `${method} ${path} ${address.slice(0, 120)} ${more.body?.slice(0, 120) ?? ''} ${JSON.stringify(more.headers ?? {}).slice(0, 120)}`;
  try {
    const ended = AbortSignal.timeout(20_000);
    const response = await app.app.request(`http://localhost${address}`, {
      method,
      headers: {
        // These end the sign-in that they come with.
        ...(/\/sign-(?:out|up|in)\b/u.test(path) ? {} : { cookie: ada.cookie }),
        origin: 'http://localhost',
        'content-type': 'application/json',
        ...more.headers,
      },
      signal: ended,
      ...(more.body === undefined ? {} : { body: more.body }),
    });
    // The one stream has no end.
    await (path === '/api/live' ? response.body?.cancel() : response.arrayBuffer());
    if (response.status >= 500) failures.push(`${response.status} ${what}`);
    return response.status;
  } catch (error) {
    failures.push(`${String(error)} ${what}`);
    return 0;
  }
}

it('answers no hostile path with 5xx', async () => {
  for (const operation of operations) {
    for (const [, name = ''] of operation.path.matchAll(/\{(\w+)\}/gu)) {
      for (const part of some(ADDRESS_PARTS)) {
        const body = operation.body && JSON.stringify(sampleOf(operation.body, '', known));
        await send(operation, fillPath(operation.path, { ...known, [name]: part }), body === undefined ? {} : { body });
      }
    }
  }
  expect(failures).toEqual([]);
});

it('answers no hostile query with 5xx', async () => {
  for (const operation of operations.filter(({ query }) => query.length > 0)) {
    for (const { name } of [...operation.query, { name: 'unknown' }, { name: '__proto__' }, { name: '%00' }]) {
      for (const part of some(ADDRESS_PARTS)) {
        await send(operation, `${fillPath(operation.path, known)}?${name}=${part}`, {});
        if (name === 'cursor') await send(operation, `${fillPath(operation.path, known)}?q=a&tag=a&cursor=${part}`, {});
      }
    }
  }
  expect(failures).toEqual([]);
});

it('answers no hostile body with 5xx', async () => {
  for (const operation of operations.filter(({ body }) => body !== undefined)) {
    const sample = sampleOf(operation.body ?? {}, '', known);
    for (const body of some(hostileBodies(sample, JSON_VALUES)))
      await send(operation, fillPath(operation.path, known), { body });
  }
  expect(failures).toEqual([]);
});

it('answers no hostile header with 5xx', async () => {
  for (const operation of operations) {
    if (operation.method === 'DELETE') continue;
    const body = operation.body && JSON.stringify(sampleOf(operation.body, '', known));
    for (const value of some(HEADER_VALUES)) {
      const names = ['idempotency-key', 'last-event-id', 'authorization', 'x-forwarded-for', 'x-paystack-signature'];
      const headers = Object.fromEntries(names.map((name) => [name, value]));
      await send(operation, fillPath(operation.path, known), { headers, ...(body === undefined ? {} : { body }) });
    }
  }
  expect(failures).toEqual([]);
  expect(asked).toBeGreaterThan(effort(500, 2_000));
});

it('names the field that can’t be stored, wherever it stands', async () => {
  const refusal = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await app.request(method, path, { as: ada, body });
    return [status, (answer.error ?? answer).field];
  };
  expect(await refusal('GET', '/api/agents/a%00b')).toEqual([400, 'agentId']);
  expect(await refusal('GET', '/api/memories?q=x&agentId=%00')).toEqual([400, 'agentId']);
  expect(await refusal('POST', '/api/billing/verify', { reference: 'x\0' })).toEqual([400, 'reference']);
  expect(await refusal('POST', '/api/sandbox/checkout/a%00b', { outcome: 'success' })).toEqual([400, 'accessCode']);
  const agent = { name: 'n', prompt: 'p', tags: ['fine', 'half \ud83d'] };
  expect(await refusal('POST', '/api/agents', agent)).toEqual([400, 'tags.1']);
  expect(await refusal('POST', '/api/agents', { 'a\0': 1 })).toEqual([400, 'a\uFFFD']);
  expect(await refusal('GET', '/runtime%00')).toEqual([400, 'path']);
  const ann = { name: 'Ann\0', email: 'ann@example.com', password: PASSWORD };
  expect(await refusal('POST', '/api/auth/sign-up/email', ann)).toEqual([400, 'name']);
  const answer = await app.request('POST', '/api/auth/sign-in/email', {
    body: { email: ada.email, password: PASSWORD },
  });
  expect([answer.status, cookieOf(answer.headers) !== '']).toEqual([200, true]);
});

it('takes an emoji that is written as two escapes', async () => {
  const body = '{"name":"Fox","prompt":"Speak as a \\ud83e\\udd8a."}';
  const answer = await app.request('POST', '/api/agents', { as: ada, body });
  expect([answer.status, answer.body.agent?.prompt]).toEqual([201, 'Speak as a 🦊.']);
});

it.each([
  ['a NUL', "filename*=UTF-8''a%00b.txt", 201],
  ['a path', 'filename="../../etc/passwd.txt"', 201],
  ['no name at all', 'filename=""', 400],
  ['a name of 100,000 letters', `filename="${'x'.repeat(100_000)}.txt"`, 400],
])('a file with %s as its name is stored under a name of ours, or refused', async (_what, name, wanted) => {
  const body = `--b\r\ncontent-disposition: form-data; name="file"; ${name}\r\ncontent-type: text/plain\r\n\r\nhello\r\n--b--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const answer = await app.request('POST', `/api/agents/${known.agentId}/files`, { as: ada, body, headers });
  expect([answer.status, answer.body.error?.field ?? 'file']).toEqual([wanted, 'file']);
});
