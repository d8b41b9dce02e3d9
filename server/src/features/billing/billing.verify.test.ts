import { describe, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { TEST_KEYS } from '../../testing/fake-paystack.ts';
import { testApp } from '../../testing/harness.ts';
import { openShop } from '../../testing/shop.ts';
import { proGrants } from './billing.table.ts';

const shop = await openShop();

test('a checkout of a foreign page is 403', async () => {
  const caller = await shop.app.signUp();
  const headers = { origin: 'https://evil.example' };
  expect((await shop.app.request('POST', '/api/billing/checkout', { as: caller, headers })).status).toBe(403);
});

describe('verify', () => {
  test.each([
    ['the customer bears the fee', { amount: 28_396, requested_amount: 27_500 }],
    ['amounts are texts', { amount: '28396', requested_amount: '27500' }],
    ['the amount is a text, and nothing says what was asked for', { amount: '27500' }],
    ['what was asked for is null', { amount: 27_500, requested_amount: null }],
  ])('paid: %s', async (_, change) => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference, change);
    expect((await shop.verify(caller, reference)).body).toMatchObject({ plan: 'pro', payment: { state: 'paid' } });
  });

  test.each([
    ['amount 27499', { amount: 27_499 }],
    ['less than the price, although it was asked for', { amount: 27_499, requested_amount: 27_500 }],
    ['more than the price without a word of what was asked for', { amount: 28_396 }],
    ['another price was asked for', { amount: 28_396, requested_amount: 100 }],
    ['a text below the price', { amount: '27499' }],
    ['currency NGN', { currency: 'NGN' }],
    ['the live domain under a test key', { domain: 'live' }],
  ])('refused: %s', async (_, change) => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference, change);
    expect((await shop.verify(caller, reference)).body).toMatchObject({ plan: 'free', payment: { state: 'refused' } });
    expect((await shop.account(caller)).subscriptionStatus).toBe('free');
    expect(await shop.app.deps.db.select().from(proGrants)).toEqual([]);
    const { status, body } = await shop.checkout(caller);
    expect([status, body.error.message]).toEqual([
      409,
      'Payment succeeded, but we couldn’t update your account. Please contact support.',
    ]);
    const back = { id: 1, transaction_reference: reference, amount: 27_499, status: 'processed' };
    await shop.notify(shop.paystack.notice('refund.processed', back));
    expect((await shop.checkout(caller)).status).toBe(200);
  });

  test.each(['failed', 'abandoned', 'pending', 'ongoing', 'queued', 'a new word'])(
    'status %s is not paid, and may still be',
    async (status) => {
      const { caller, reference } = await shop.buyer();
      shop.paystack.tell(reference, { status });
      expect((await shop.verify(caller, reference)).body.plan).toBe('free');
      shop.paystack.pay(reference);
      expect((await shop.verify(caller, reference)).body.plan).toBe('pro');
    },
  );

  test('malformed, too large', async () => {
    const caller = await shop.app.signUp();
    for (const body of [{}, { reference: 7 }, { reference: '' }, { reference: 'x'.repeat(101) }, '{']) {
      expect((await shop.app.request('POST', '/api/billing/verify', { as: caller, body })).status).toBe(400);
    }
    const body = { reference: 'x'.repeat(300_000) };
    expect((await shop.app.request('POST', '/api/billing/verify', { as: caller, body })).status).toBe(413);
  });
});

describe('what a person sees', () => {
  test('a re-check without the provider says so', async () => {
    const { caller } = await shop.buyer();
    shop.paystack.behave('cut');
    expect((await shop.app.request('POST', '/api/billing/recheck', { as: caller })).status).toBe(502);
  });

  test('only one’s own payments', async () => {
    await shop.buyer();
    const other = await shop.app.signUp();
    expect(await shop.billing(other)).toMatchObject({
      plan: 'free',
      provider: 'paystack',
      price: { usd: 15, amount: 27_500, currency: 'ZAR' },
      payments: [],
    });
  });
});

test('the secret key is in no answer and no line of the log, whatever the provider repeats of it', async () => {
  const caller = await shop.app.signUp();
  const answers = [];
  const env = {
    ...shop.paystack.env,
    PAYSTACK_SECRET_KEY: 'sk_test_wr0ng9876543210',
    PAYSTACK_PUBLIC_KEY: TEST_KEYS.open,
  };
  const wrong = await testApp({
    env,
    database: shop.app.deps.database,
    log: createLog((line) => shop.logged.push(line)),
  });
  answers.push(await wrong.request('POST', '/api/billing/checkout', { as: caller }));
  await wrong.close();
  shop.paystack.behave('error');
  answers.push(await shop.checkout(caller), await shop.app.request('GET', '/api/billing', { as: caller }));
  expect(shop.logged.some((line) => line.includes('billing.provider'))).toBe(true);
  const everything = `${shop.logged.join('\n')}${JSON.stringify(answers)}`;
  for (const key of [TEST_KEYS.secret, 'sk_test_wr0ng9876543210']) expect(everything).not.toContain(key.slice(8));
});
