import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSandboxServer } from './server.ts';

let folder: string;
let file: string;
let sandbox: ReturnType<typeof createSandboxServer>;
let delivered: { body: string; signature: string }[] = [];
let refusals = 0;

const make = (transferMs?: number) =>
  createSandboxServer({
    file,
    ...(transferMs === undefined ? {} : { transferMs }),
    deliver: async (body, signature) => {
      delivered.push({ body, signature });
      refusals -= 1;
      return { ok: refusals < 0 };
    },
  });
beforeEach(() => {
  delivered = [];
  refusals = 0;
  folder = mkdtempSync(join(tmpdir(), 'atelier-sandbox-'));
  file = join(folder, 'sandbox.json');
  sandbox = make();
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function call(method: string, path: string, body?: unknown, key = sandbox.secretKey) {
  const response = await fetch(`${await sandbox.url()}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const order = {
  email: 'ada@example.com',
  amount: 27_500,
  currency: 'ZAR',
  reference: 'atelier-1',
  metadata: { userId: 'u' },
};

test('initialize, verify, pay; the notice is signed over exactly its bytes', async () => {
  const begun = await call('POST', '/transaction/initialize', order);
  expect(begun).toMatchObject({ status: 200, body: { status: true, data: { reference: 'atelier-1' } } });
  expect((await call('GET', '/transaction/verify/atelier-1')).body.data).toMatchObject({
    status: 'abandoned',
    amount: 27_500,
    currency: 'ZAR',
    domain: 'test',
    paid_at: null,
  });
  const code = begun.body.data.access_code;
  refusals = 2;
  expect((await call('POST', `/checkout/${code}`, { outcome: 'success' })).body.data.status).toBe('success');
  const paid = (await call('GET', '/transaction/verify/atelier-1')).body.data;
  expect(paid).toMatchObject({ status: 'success', paid_at: expect.any(String) });
  expect(delivered).toHaveLength(3);
  const { body, signature } = delivered[2] ?? { body: '', signature: '' };
  expect(JSON.parse(body)).toEqual({ event: 'charge.success', data: paid });
  expect(signature).toBe(createHmac('sha512', sandbox.secretKey).update(body).digest('hex'));
});

test('a wrong bearer is 401 everywhere, before anything else is looked at', async () => {
  for (const [method, path] of [
    ['POST', '/transaction/initialize'],
    ['GET', '/transaction/verify/atelier-1'],
    ['POST', '/checkout/x'],
    ['GET', '/nowhere'],
  ] as const) {
    expect((await call(method, path, method === 'POST' ? order : undefined, 'sk_test_wrong')).status).toBe(401);
  }
});

test('a reused reference, an unknown field, and what is no order are refused', async () => {
  expect((await call('POST', '/transaction/initialize', order)).status).toBe(200);
  expect(await call('POST', '/transaction/initialize', order)).toMatchObject({
    status: 400,
    body: { status: false, message: 'Duplicate Transaction Reference' },
  });
  for (const wrong of [
    { ...order, reference: 'atelier-2', price: 1 },
    { ...order, reference: 'atelier_2' },
    { ...order, reference: 'atelier-2', amount: 0 },
    { ...order, reference: 'atelier-2', currency: 'zar' },
    { ...order, reference: 'atelier-2', email: 'nobody' },
    'no json',
    '[]',
    JSON.stringify('x'.repeat(100_000)),
  ]) {
    expect((await call('POST', '/transaction/initialize', wrong)).status).toBe(400);
  }
  expect((await call('GET', '/transaction/verify/atelier-2')).status).toBe(404);
  expect((await call('POST', '/checkout/nobody', { outcome: 'success' })).status).toBe(404);
});

test.each([
  ['decline', 'failed'],
  ['cancel', 'abandoned'],
  ['pending', 'pending'],
  ['setup_error', 'abandoned'],
  ['silence', 'abandoned'],
])('%s leaves it %s, without a notice; what is paid stays paid', async (outcome, status) => {
  const code = (await call('POST', '/transaction/initialize', order)).body.data.access_code;
  expect((await call('POST', `/checkout/${code}`, { outcome })).body.data.status).toBe(status);
  expect(delivered).toEqual([]);
  await call('POST', `/checkout/${code}`, { outcome: 'success' });
  expect((await call('POST', `/checkout/${code}`, { outcome })).body.data.status).toBe('success');
  expect((await call('POST', `/checkout/${code}`, { outcome: 'gift' })).status).toBe(400);
});

test('it remembers over a restart, and keeps nobody’s address', async () => {
  await call('POST', '/transaction/initialize', order);
  await sandbox.close();
  sandbox = make();
  expect((await call('GET', '/transaction/verify/atelier-1')).status).toBe(200);
  expect(readFileSync(file, 'utf8')).not.toContain('ada@');
});

test('a bank transfer arrives by itself, with a signed notice, and also while the sandbox was away', async () => {
  await sandbox.close();
  sandbox = make(1);
  const begin = async (reference: string) => {
    const code = (await call('POST', '/transaction/initialize', { ...order, reference })).body.data.access_code;
    expect((await call('POST', `/checkout/${code}`, { outcome: 'pending' })).body.data.status).toBe('pending');
  };
  const statusOf = async (reference: string) =>
    (await call('GET', `/transaction/verify/${reference}`)).body.data.status;
  await begin('atelier-1');
  await expect.poll(() => delivered.length).toBe(1);
  expect(JSON.parse(delivered[0]?.body ?? '')).toMatchObject({ data: { reference: 'atelier-1', status: 'success' } });
  expect(await statusOf('atelier-1')).toBe('success');
  await begin('atelier-2');
  await sandbox.close();
  sandbox = make();
  await expect.poll(() => statusOf('atelier-2')).toBe('success');
});

test('a transfer that can’t be written down ends nothing, and arrives once it can', async () => {
  await sandbox.close();
  sandbox = make(50);
  const code = (await call('POST', '/transaction/initialize', order)).body.data.access_code;
  await call('POST', `/checkout/${code}`, { outcome: 'pending' });
  rmSync(folder, { recursive: true });
  await new Promise((done) => setTimeout(done, 150));
  mkdirSync(folder);
  expect((await call('GET', `/transaction/verify/${order.reference}`)).body.data.status).toBe('success');
});
