import { CONTACT_LIMITS } from '@atelier/contract/contact';
import { expect, test } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { runAdminCommand } from '../operator/operator.service.ts';
import { deliverDue } from './contact.delivery.service.ts';
import { contactMessages } from './contact.table.ts';

const app = await emptyApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });

const post = (body: unknown, more: { as?: TestUser; headers?: Record<string, string> } = {}) =>
  app.request('POST', '/api/contact', { body, ...more });
const stored = () => app.deps.db.select().from(contactMessages);
const inbox = async () => (await runAdminCommand(app.deps, ['inbox'])).message;

test('signed out, with an address: stored, and waiting in the inbox while no mail is configured', async () => {
  const { status, body } = await post({ message: '  Hello\nthere  ', email: ' ada@example.com ' });
  expect([status, body]).toEqual([201, { received: true }]);
  expect(await stored()).toMatchObject([
    { userId: null, email: 'ada@example.com', message: 'Hello\nthere', state: 'waiting', attempts: 0 },
  ]);
  await deliverDue(app.deps);
  const text = await inbox();
  expect(text).toContain('ada@example.com');
  expect(text).toContain('not sent yet');
  expect(text).toContain('    Hello\n    there');
});

test('signed in: the account’s address, unless another is given', async () => {
  const as = await app.signUp();
  await post({ message: 'first' }, { as });
  await post({ message: 'second', email: 'elsewhere@example.com' }, { as });
  const rows = (await stored()).toSorted((a, b) => (a.message < b.message ? -1 : 1));
  expect(rows).toMatchObject([
    { userId: as.uid, email: as.email },
    { userId: as.uid, email: 'elsewhere@example.com' },
  ]);
  expect(await inbox()).toContain('(signed in)');
});

test.each([
  [{ message: 'hello' }, 'email'],
  [{ message: 'hello', email: '' }, 'email'],
  [{ message: 'hello', email: 'nobody' }, 'email'],
  [{ message: 'hello', email: `${'a'.repeat(250)}@example.com` }, 'email'],
  [{ message: 'hello', email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
  [{ email: 'ada@example.com' }, 'message'],
  [{ message: ' \n\t ', email: 'ada@example.com' }, 'message'],
  [{ message: 7, email: 'ada@example.com' }, 'message'],
  [{ message: `nul${String.fromCharCode(0)}`, email: 'ada@example.com' }, 'message'],
  [{ message: 'x'.repeat(CONTACT_LIMITS.message + 1), email: 'ada@example.com' }, 'message'],
  [{ message: 'hello', email: 'ada@example.com', userId: 'somebody' }, undefined],
  ['{', undefined],
])('what is malformed is refused and not stored (%#)', async (body, field) => {
  const answer = await post(body);
  expect(answer.status).toBe(400);
  if (field !== undefined) expect(answer.body.error.field).toBe(field);
  expect(await stored()).toEqual([]);
});

test('5,000 characters count as people count them, after trimming; more than a body holds is 413', async () => {
  const email = 'ada@example.com';
  expect((await post({ message: ` ${'🪚'.repeat(CONTACT_LIMITS.message)} `, email })).status).toBe(201);
  expect((await post({ message: 'x'.repeat(300 * 1024), email })).status).toBe(413);
});

test('the field that people don’t see: the same answer, kept aside, never sent', async () => {
  const { status, body } = await post({ message: 'cheap', email: 'spam@example.com', website: 'http://spam.example' });
  expect([status, body]).toEqual([201, { received: true }]);
  expect(await stored()).toMatchObject([{ state: 'held', nextAttemptAt: null }]);
  expect(await inbox()).toContain('held back: looks like a machine');
});

test('a sixth message within ten minutes from one address: 429 with Retry-After; another address is unharmed', async () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => post({ message: `m${i}`, email: 'ada@example.com' }, from('203.0.113.7'))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(3);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await stored()).toHaveLength(5);
  expect((await post({ message: 'm', email: 'bob@example.com' }, from('203.0.113.8'))).status).toBe(201);
});

test('the same message under the same key is stored once, also at the same moment; another’s key takes nothing away', async () => {
  const headers = { 'idempotency-key': 'k1' };
  const once = { message: 'once', email: 'ada@example.com' };
  const answers = await Promise.all([post(once, { headers }), post(once, { headers })]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(await stored()).toHaveLength(1);
  await post({ ...once, email: 'bob@example.com' }, { headers });
  await post({ ...once, message: 'another' }, { headers });
  expect(await stored()).toHaveLength(3);
});

test('a foreign page can’t write in somebody’s name', async () => {
  const as = await app.signUp();
  const answer = await post({ message: 'forged' }, { as, headers: { origin: 'https://elsewhere.example' } });
  expect(answer.status).toBe(403);
  expect(await stored()).toEqual([]);
});

test('a session that has ended counts as signed out', async () => {
  const as = await app.signUp();
  await app.request('POST', '/api/auth/sign-out', { as });
  expect((await post({ message: 'hello' }, { as })).status).toBe(400);
});

test('the inbox shows no control characters, and deletes by id', async () => {
  await post({ message: 'red \u001b[31m and \u202eback', email: 'ada@example.com' });
  const text = await inbox();
  expect(text).not.toContain('\u001b');
  expect(text).not.toContain('\u202e');
  const [row] = await stored();
  expect(await runAdminCommand(app.deps, ['inbox-delete', row?.id ?? ''])).toMatchObject({ ok: true });
  expect(await runAdminCommand(app.deps, ['inbox-delete', row?.id ?? ''])).toMatchObject({ ok: false });
  expect(await inbox()).toBe('The inbox is empty.');
});
