import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { LIVE_KEYS, startFakePaystack, TEST_KEYS } from '../../testing/fake-paystack.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { reconcile } from './billing.reconcile.service.ts';
import { payments } from './billing.table.ts';

const app = await closing(testApp());

const checkout = (as: TestUser, on = app) => on.request('POST', '/api/billing/checkout', { as });
const choose = (as: TestUser, accessCode: string, outcome: unknown, on = app) =>
  on.request('POST', `/api/sandbox/checkout/${accessCode}`, { as, body: { outcome } });
const planOf = async (as: TestUser) => (await app.request('GET', '/api/me', { as })).body.account.subscriptionStatus;

test('success delivers the signed notice: Pro before the page says a word', async () => {
  const caller = await app.signUp();
  const { body } = await checkout(caller);
  expect(body).toMatchObject({ provider: 'sandbox', amount: 27_500, currency: 'ZAR' });
  const answer = await choose(caller, body.accessCode, 'success');
  expect([answer.status, answer.body]).toEqual([200, { reference: body.reference, status: 'success' }]);
  expect(await planOf(caller)).toBe('pro');
  const shown = await app.request('GET', '/api/billing', { as: caller });
  expect(shown.body.payments[0]).toMatchObject({ state: 'paid', mode: 'sandbox' });
  expect(shown.body.payments[0].events.at(-1)).toMatchObject({ entry: 'paid', source: 'webhook' });
});

test.each([
  ['decline', 'failed'],
  ['cancel', 'abandoned'],
  ['pending', 'pending'],
  ['setup_error', 'abandoned'],
  ['silence', 'abandoned'],
])('%s leaves Free', async (outcome, state) => {
  const caller = await app.signUp();
  const { body } = await checkout(caller);
  expect((await choose(caller, body.accessCode, outcome)).status).toBe(200);
  const verified = await app.request('POST', '/api/billing/verify', {
    as: caller,
    body: { reference: body.reference },
  });
  expect(verified.body).toMatchObject({ plan: 'free', payment: { state } });
});

test('its buttons are for the payer alone', async () => {
  const [caller, other] = [await app.signUp(), await app.signUp()];
  const { accessCode } = (await checkout(caller)).body;
  expect((await choose(other, accessCode, 'success')).status).toBe(404);
  expect((await choose(caller, 'nonsense', 'success')).status).toBe(404);
  for (const wrong of ['gift', 7, undefined]) expect((await choose(caller, accessCode, wrong)).status).toBe(400);
  expect(await planOf(caller)).toBe('free');
});

test('a payment keeps its provider: each is asked about its own, also after the other took over', async () => {
  const paystack = await startFakePaystack();
  const keys = { PAYSTACK_SECRET_KEY: TEST_KEYS.secret, PAYSTACK_PUBLIC_KEY: TEST_KEYS.open };
  const keyed = await testApp({ env: { ...paystack.env, ...keys }, database: app.deps.database });
  const env = { ...paystack.env, ...keys, PAYSTACK_SANDBOX: '1' };
  const both = await testApp({ env, database: app.deps.database });
  const rowOf = async (reference: string) =>
    (await app.deps.db.select().from(payments).where(eq(payments.reference, reference)))[0];
  const verify = (as: TestUser, reference: string, on: TestApp) =>
    on.request('POST', '/api/billing/verify', { as, body: { reference } });

  const [rehearser, payer] = [await app.signUp(), await app.signUp()];
  const rehearsed = (await checkout(rehearser, both)).body;
  const bought = (await checkout(payer, keyed)).body;
  expect(await rowOf(rehearsed.reference)).toMatchObject({ provider: 'sandbox', mode: 'sandbox' });
  expect(await rowOf(bought.reference)).toMatchObject({ provider: 'paystack', mode: 'test' });

  // Whatever Paystack says of the rehearsed one: only the sandbox knows, and where it is off nobody is asked.
  paystack.calls.length = 0;
  paystack.pay(rehearsed.reference);
  for (const at of [keyed, both]) expect((await verify(rehearser, rehearsed.reference, at)).body.plan).toBe('free');
  expect((await rowOf(rehearsed.reference))?.state).toBe('abandoned');
  expect(paystack.calls).toEqual([]);
  const { body, signature } = paystack.notice('charge.success', paystack.transactions.get(rehearsed.reference));
  const headers = { 'x-paystack-signature': signature };
  expect((await both.request('POST', '/api/webhooks/paystack', { body, headers })).status).toBe(200);
  expect((await both.request('POST', '/api/webhooks/sandbox', { body, headers })).status).toBe(403);
  expect(await planOf(rehearser)).toBe('free');
  await choose(rehearser, rehearsed.accessCode, 'success', both);
  expect(await planOf(rehearser)).toBe('pro');

  // The sandbox takes new payments now; the one at Paystack is still asked of Paystack, and keeps its row.
  paystack.pay(bought.reference);
  await both.deps.db
    .update(payments)
    .set({ nextCheckAt: new Date(0) })
    .where(eq(payments.reference, bought.reference));
  await reconcile(both.deps);
  expect(await planOf(payer)).toBe('pro');
  expect(await rowOf(bought.reference)).toMatchObject({ provider: 'paystack', state: 'paid' });
  await both.close();
  await keyed.close();
  await paystack.close();
});

test('where others can reach the server and no key is set, nothing can be bought', async () => {
  const env = { HOST: '0.0.0.0' };
  const open = await testApp({ env, database: app.deps.database });
  const caller = await app.signUp();
  const { accessCode } = (await checkout(caller)).body;
  const refused = await checkout(caller, open);
  expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
  expect(refused.body.error.message).toContain('has not connected a payment provider');
  expect((await choose(caller, accessCode, 'success', open)).status).toBe(404);
  const notice = await open.request('POST', '/api/webhooks/paystack', { body: '{}' });
  expect(notice.status).toBe(403);
  expect((await open.request('GET', '/api/billing', { as: caller })).body.provider).toBe('off');
  await open.close();
});

test('under a live key: no sandbox, no rehearsed payment and no test card gives Pro', async () => {
  const paystack = await startFakePaystack(LIVE_KEYS);
  const env = { ...paystack.env, PAYSTACK_SECRET_KEY: LIVE_KEYS.secret, PAYSTACK_PUBLIC_KEY: LIVE_KEYS.open };
  const live = await testApp({ env, database: app.deps.database });
  const [rehearser, payer] = [await app.signUp(), await app.signUp()];
  const rehearsed = (await checkout(rehearser)).body;
  expect((await choose(rehearser, rehearsed.accessCode, 'success', live)).status).toBe(404);
  const { reference: old } = rehearsed;
  for (const domain of ['test', 'live']) {
    paystack.pay(old, { domain });
    const { body, signature } = paystack.notice('charge.success', paystack.transactions.get(old));
    const headers = { 'x-paystack-signature': signature };
    expect((await live.request('POST', '/api/webhooks/paystack', { body, headers })).status).toBe(200);
    await live.request('POST', '/api/billing/verify', { as: rehearser, body: { reference: old } });
  }
  expect(await planOf(rehearser)).toBe('free');

  const { reference } = (await checkout(payer, live)).body;
  paystack.pay(reference, { domain: 'test' });
  const body = { reference };
  expect((await live.request('POST', '/api/billing/verify', { as: payer, body })).body).toMatchObject({ plan: 'free' });
  const [row] = await app.deps.db.select().from(payments).where(eq(payments.reference, reference));
  expect(row).toMatchObject({ state: 'refused', mode: 'live' });
  const forged = paystack.notice('charge.success', paystack.transactions.get(reference), TEST_KEYS.secret);
  const headers = { 'x-paystack-signature': forged.signature };
  expect((await live.request('POST', '/api/webhooks/paystack', { body: forged.body, headers })).status).toBe(403);
  expect(await planOf(payer)).toBe('free');
  await live.close();
  await paystack.close();
});
