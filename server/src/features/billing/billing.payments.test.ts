import { billingAnswer, checkoutAnswer, verifyAnswer } from '@atelier/contract/billing';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { type FakePaystack, startFakePaystack, TEST_KEYS } from '../../testing/fake-paystack.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { runAdminCommand } from '../accounts/accounts.admin.service.ts';
import { reconcileSoon } from './billing.jobs.ts';
import { reconcile } from './billing.reconcile.service.ts';
import { RECHECK_SECONDS } from './billing.settle.service.ts';
import { paymentEvents, payments, proGrants } from './billing.table.ts';

let app: TestApp;
let schedule: unknown;
let paystack: FakePaystack;
const logged: string[] = [];
beforeAll(async () => {
  paystack = await startFakePaystack();
  const env = { ...paystack.env, PAYSTACK_SECRET_KEY: TEST_KEYS.secret, PAYSTACK_PUBLIC_KEY: TEST_KEYS.open };
  app = await testApp({ env, log: createLog((line) => logged.push(line)) });
  // Here the tests say when to re-check; the minute's own turn would take their work away.
  const sqlText = `delete from pgboss.schedule where name = 'billing.reconcile' returning cron`;
  schedule = (await app.deps.database.executeSql(sqlText)).rows;
});
beforeEach(async () => {
  paystack.reset();
  await app.reset();
});
afterAll(async () => {
  await app.close();
  await paystack.close();
});

const checkout = (as: TestUser) => app.request('POST', '/api/billing/checkout', { as });
const verify = (as: TestUser, reference: string) =>
  app.request('POST', '/api/billing/verify', { as, body: { reference } });
const billing = async (as: TestUser) => billingAnswer.parse((await app.request('GET', '/api/billing', { as })).body);
const account = async (as: TestUser) => (await app.request('GET', '/api/me', { as })).body.account;
const notify = ({ body, signature }: { body: string; signature: string }) =>
  app.request('POST', '/api/webhooks/paystack', {
    body,
    headers: { 'x-paystack-signature': signature, origin: 'https://paystack.example' },
  });
const noticeOf = (reference: string) => paystack.notice('charge.success', paystack.transactions.get(reference));
const ledger = async (reference: string) =>
  (await app.deps.db.select().from(paymentEvents).where(eq(paymentEvents.reference, reference)))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ entry, source }) => `${entry} ${source}`);
const makeDue = () => app.deps.db.update(payments).set({ nextCheckAt: sql`now() - interval '1 second'` });

/** A user with an open checkout. */
async function buyer() {
  const caller = await app.signUp();
  const { status, body } = await checkout(caller);
  expect(status).toBe(200);
  return { caller, reference: checkoutAnswer.parse(body).reference };
}

describe('checkout', () => {
  test('asks the provider for the exact amount, with the metadata, for a reference bound to the user', async () => {
    const caller = await app.signUp();
    const { body } = await checkout(caller);
    expect(checkoutAnswer.parse(body)).toMatchObject({
      provider: 'paystack',
      publicKey: TEST_KEYS.open,
      amount: 27_500,
      currency: 'ZAR',
      accessCode: `code-${body.reference}`,
    });
    expect(paystack.transactions.get(body.reference)).toMatchObject({
      amount: 27_500,
      currency: 'ZAR',
      email: caller.email,
      metadata: { userId: caller.uid, purchaseType: 'one_time_pro', custom_fields: [] },
    });
    expect(await ledger(body.reference)).toEqual(['issued checkout', 'open checkout']);
  });

  test('one that was not used is handed out again, one that failed is not', async () => {
    const { caller, reference } = await buyer();
    expect((await checkout(caller)).body.reference).toBe(reference);
    paystack.tell(reference, { status: 'pending' });
    expect((await checkout(caller)).body.reference).toBe(reference);
    paystack.tell(reference, { status: 'failed' });
    const next = (await checkout(caller)).body.reference;
    expect(next).not.toBe(reference);
    expect(paystack.calls.filter((call) => call === 'POST initialize')).toHaveLength(2);
  });

  test('20 at once get one reference', async () => {
    const caller = await app.signUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => checkout(caller)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1);
    expect(await app.deps.db.select().from(payments)).toHaveLength(1);
  });

  test('a Pro user is refused, also one whose open payment turns out to be paid', async () => {
    const { caller, reference } = await buyer();
    paystack.pay(reference);
    const { status, body } = await checkout(caller);
    expect([status, body.error.message]).toEqual([409, 'You are Pro already. Nothing was charged.']);
    expect(await account(caller)).toMatchObject({ subscriptionStatus: 'pro', lastReference: reference });
    expect((await checkout(caller)).status).toBe(409);
    expect(await ledger(reference)).toEqual(['issued checkout', 'open checkout', 'paid checkout']);
  });

  test('without the provider there is no new one, and afterwards there is', async () => {
    const caller = await app.signUp();
    for (const trouble of ['error', 'cut'] as const) {
      paystack.behave(trouble);
      const { status, body } = await checkout(caller);
      expect([status, body.error.code]).toEqual([502, 'provider_failed']);
    }
    paystack.behave('none');
    // The first never got there; it is tried no more once it can't be on its way, and meanwhile does not stand in the way.
    await app.deps.db.update(payments).set({ handedOutAt: sql`now() - interval '2 minutes'` });
    expect((await checkout(caller)).status).toBe(200);
    expect((await billing(caller)).payments.map(({ state }) => state)).toEqual(['open', 'void']);
  });

  test('signed out is 401, and a foreign page 403', async () => {
    expect((await app.request('POST', '/api/billing/checkout')).status).toBe(401);
    const caller = await app.signUp();
    const headers = { origin: 'https://evil.example' };
    expect((await app.request('POST', '/api/billing/checkout', { as: caller, headers })).status).toBe(403);
  });
});

describe('verify', () => {
  test('a paid reference makes Pro: both fields, reference and time', async () => {
    const { caller, reference } = await buyer();
    const before = await account(caller);
    paystack.pay(reference);
    const answer = verifyAnswer.parse((await verify(caller, reference)).body);
    expect(answer).toMatchObject({ plan: 'pro', payment: { state: 'paid', amount: 27_500, currency: 'ZAR' } });
    const after = await account(caller);
    expect(after).toMatchObject({
      subscriptionStatus: 'pro',
      subscriptionTier: 'pro',
      lastReference: reference,
      lastPaidAt: Date.parse('2026-01-02T03:04:05.678Z'),
    });
    expect(after.lastUpdated > before.lastUpdated).toBe(true);
  });

  test.each([
    ['amount 27499', { amount: 27_499 }],
    ['currency NGN', { currency: 'NGN' }],
    ['the live domain under a test key', { domain: 'live' }],
  ])('refused: %s', async (_, change) => {
    const { caller, reference } = await buyer();
    paystack.pay(reference, change);
    expect((await verify(caller, reference)).body).toMatchObject({ plan: 'free', payment: { state: 'refused' } });
    expect((await account(caller)).subscriptionStatus).toBe('free');
    expect(await app.deps.db.select().from(proGrants)).toEqual([]);
  });

  test.each(['failed', 'abandoned', 'pending', 'ongoing', 'queued', 'a new word'])(
    'status %s is not paid, and may still be',
    async (status) => {
      const { caller, reference } = await buyer();
      paystack.tell(reference, { status });
      expect((await verify(caller, reference)).body.plan).toBe('free');
      paystack.pay(reference);
      expect((await verify(caller, reference)).body.plan).toBe('pro');
    },
  );

  test('somebody else’s reference and one never issued are 404, even when paid', async () => {
    const { reference } = await buyer();
    const other = await app.signUp();
    paystack.pay(reference);
    paystack.pay('atelier-never-issued');
    for (const one of [reference, 'atelier-never-issued', "x' or '1'='1"]) {
      expect((await verify(other, one)).status).toBe(404);
    }
    expect((await account(other)).subscriptionStatus).toBe('free');
  });

  test('malformed, too large, signed out', async () => {
    const caller = await app.signUp();
    for (const body of [{}, { reference: 7 }, { reference: '' }, { reference: 'x'.repeat(101) }, '{']) {
      expect((await app.request('POST', '/api/billing/verify', { as: caller, body })).status).toBe(400);
    }
    const body = { reference: 'x'.repeat(300_000) };
    expect((await app.request('POST', '/api/billing/verify', { as: caller, body })).status).toBe(413);
    expect((await app.request('POST', '/api/billing/verify', { body: { reference: 'x' } })).status).toBe(401);
  });

  test('the grant can’t be written: a sentence, nothing half done, and it follows by itself', async () => {
    const { caller, reference } = await buyer();
    paystack.pay(reference);
    await app.deps.database.executeSql('alter table pro_grants rename to pro_grants_away');
    try {
      const { status, body } = await verify(caller, reference);
      expect([status, body.error.message]).toEqual([
        503,
        'Payment succeeded, but we couldn’t update your account. Please contact support.',
      ]);
      expect((await account(caller)).subscriptionStatus).toBe('free');
      expect((await billing(caller)).payments[0]?.state).toBe('open');
    } finally {
      await app.deps.database.executeSql('alter table pro_grants_away rename to pro_grants');
    }
    await makeDue();
    await reconcile(app.deps);
    expect((await account(caller)).subscriptionStatus).toBe('pro');
    expect(await ledger(reference)).toEqual(['issued checkout', 'open checkout', 'paid reconciliation']);
  });
});

describe('webhook', () => {
  test('a signed notice makes Pro before the browser is back, without origin or cookie', async () => {
    const { caller, reference } = await buyer();
    paystack.pay(reference);
    expect((await notify(noticeOf(reference))).status).toBe(200);
    expect((await account(caller)).subscriptionStatus).toBe('pro');
    expect((await verify(caller, reference)).body).toMatchObject({ plan: 'pro', payment: { state: 'paid' } });
    expect(await ledger(reference)).toEqual(['issued checkout', 'open checkout', 'paid webhook']);
  });

  test('refused: a wrong signature, that of another body, none, and garbage', async () => {
    const { caller, reference } = await buyer();
    paystack.pay(reference);
    const { body, signature } = noticeOf(reference);
    const others = [
      paystack.notice('charge.success', paystack.transactions.get(reference), 'sk_test_another').signature,
      paystack.notice('charge.success', { reference: 'another' }).signature,
      `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`,
      signature.slice(0, 64),
      '',
      'zz'.repeat(64),
    ];
    for (const wrong of others) expect((await notify({ body, signature: wrong })).status).toBe(403);
    expect((await app.request('POST', '/api/webhooks/paystack', { body })).status).toBe(403);
    expect((await account(caller)).subscriptionStatus).toBe('free');
  });

  test.each([
    ['amount 27499', { amount: 27_499 }],
    ['currency NGN', { currency: 'NGN' }],
    ['status failed', { status: 'failed' }],
    ['the live domain under a test key', { domain: 'live' }],
  ])('signed, but refused: %s', async (_, change) => {
    const { caller, reference } = await buyer();
    paystack.pay(reference, change);
    expect((await notify(noticeOf(reference))).status).toBe(200);
    expect((await account(caller)).subscriptionStatus).toBe('free');
  });

  test('a reference never issued changes nothing', async () => {
    const { caller } = await buyer();
    paystack.pay('atelier-never-issued', { metadata: { userId: caller.uid } });
    expect((await notify(noticeOf('atelier-never-issued'))).status).toBe(200);
    expect((await account(caller)).subscriptionStatus).toBe('free');
    expect(await app.deps.db.select().from(payments)).toHaveLength(1);
  });

  test('the replay of an old notice does nothing, also after Pro was taken away by hand', async () => {
    const { caller, reference } = await buyer();
    paystack.pay(reference);
    await notify(noticeOf(reference));
    await app.deps.database.executeSql(`update profiles set subscription_status = 'free', subscription_tier = 'free'`);
    for (const _ of [1, 2, 3]) expect((await notify(noticeOf(reference))).status).toBe(200);
    expect((await account(caller)).subscriptionStatus).toBe('free');
    expect(await app.deps.db.select().from(proGrants)).toHaveLength(1);
  });

  test('signed but unreadable is 400, an event of another kind is accepted, too large is 413', async () => {
    expect((await notify(paystack.notice('charge.success', { reference: 7 }))).status).toBe(400);
    expect((await notify(paystack.notice('refund.processed', 'x'))).status).toBe(400);
    expect((await notify(paystack.notice('transfer.success', { any: 'thing' }))).status).toBe(200);
    expect((await notify(paystack.notice('charge.success', 'x'.repeat(300_000)))).status).toBe(413);
  });

  test('refunds and disputes are written down once and take nothing away', async () => {
    const { caller, reference } = await buyer();
    paystack.pay(reference);
    await notify(noticeOf(reference));
    const refund = paystack.notice('refund.processed', {
      id: 11,
      transaction_reference: reference,
      status: 'processed',
    });
    const dispute = paystack.notice('charge.dispute.create', { id: 22, transaction: { reference }, status: 'pending' });
    for (const one of [dispute, dispute, refund, refund]) expect((await notify(one)).status).toBe(200);
    expect(await ledger(reference)).toEqual([
      'issued checkout',
      'open checkout',
      'paid webhook',
      'charge.dispute.create webhook',
      'refund.processed webhook',
      'refunded webhook',
    ]);
    expect((await account(caller)).subscriptionStatus).toBe('pro');
    expect((await billing(caller)).payments[0]).toMatchObject({ state: 'refunded' });
  });
});

test('100 notices and verifications of one reference at once: one grant, one end state', async () => {
  const { caller, reference } = await buyer();
  paystack.pay(reference);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => (n % 2 ? notify(noticeOf(reference)) : verify(caller, reference))),
  );
  expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  expect(await app.deps.db.select().from(proGrants)).toHaveLength(1);
  const entries = await ledger(reference);
  expect(entries.filter((entry) => entry.startsWith('paid '))).toHaveLength(1);
  expect(entries).toHaveLength(3);
  expect((await account(caller)).subscriptionStatus).toBe('pro');
});

test('a second paid one is flagged for a refund', async () => {
  const { caller, reference: first } = await buyer();
  paystack.tell(first, { status: 'failed' });
  const second = (await checkout(caller)).body.reference;
  paystack.pay(second);
  await verify(caller, second);
  paystack.pay(first);
  await notify(noticeOf(first));
  const { payments: shown } = await billing(caller);
  expect(shown.map(({ reference, state }) => [reference, state])).toEqual([
    [second, 'paid'],
    [first, 'refund_due'],
  ]);
});

describe('reconciliation', () => {
  test('the browser closed after paying: the durable job makes Pro', async () => {
    const { caller, reference } = await buyer();
    paystack.pay(reference);
    await makeDue();
    await reconcileSoon(app.deps);
    await eventually(async () => expect((await account(caller)).subscriptionStatus).toBe('pro'), 20_000);
    expect((await ledger(reference)).at(-1)).toBe('paid reconciliation');
    expect(schedule).toEqual([{ cron: '* * * * *' }]);
  });

  test('what is open is asked about at most 60 s apart for a day, then hourly; what is closed no more', async () => {
    const { caller, reference } = await buyer();
    const wait = async () => {
      const { rows } = await app.deps.database.executeSql(
        'select extract(epoch from next_check_at - now()) as seconds from payments',
      );
      return Number(rows[0]?.seconds);
    };
    // The next check, and half a minute until the job looks for what is due.
    expect(RECHECK_SECONDS + 30).toBeLessThan(60);
    await makeDue();
    await reconcile(app.deps);
    expect(await wait()).toBeLessThanOrEqual(RECHECK_SECONDS);
    await app.deps.db.update(payments).set({ handedOutAt: sql`now() - interval '25 hours'` });
    await makeDue();
    await reconcile(app.deps);
    expect(await wait()).toBeGreaterThan(3_500);
    paystack.pay(reference);
    await makeDue();
    await reconcile(app.deps);
    const asked = paystack.calls.length;
    expect((await account(caller)).subscriptionStatus).toBe('pro');
    await reconcile(app.deps);
    expect(paystack.calls.length).toBe(asked);
  });

  test('a provider that is away is asked again; two processes at once ask once each', async () => {
    const buyers = [];
    for (let n = 0; n < 12; n += 1) buyers.push(await buyer());
    for (const { reference } of buyers) paystack.pay(reference);
    await makeDue();
    paystack.behave('error');
    await reconcile(app.deps);
    paystack.behave('none');
    await makeDue();
    paystack.calls.length = 0;
    await Promise.all([reconcile(app.deps), reconcile(app.deps)]);
    expect(paystack.calls).toHaveLength(12);
    for (const { caller } of buyers) expect((await account(caller)).subscriptionStatus).toBe('pro');
  });
});

describe('what a person sees', () => {
  test('“I paid but am still Free” asks about all open references at once', async () => {
    const { caller, reference } = await buyer();
    paystack.tell(reference, { status: 'failed' });
    await checkout(caller);
    paystack.pay(reference);
    const { status, body } = await app.request('POST', '/api/billing/recheck', { as: caller });
    expect([status, billingAnswer.parse(body).plan]).toEqual([200, 'pro']);
    paystack.behave('cut');
    const other = await buyer().catch(() => null);
    expect(other).toBeNull();
  });

  test('a re-check without the provider says so, and signed out is 401', async () => {
    const { caller } = await buyer();
    paystack.behave('cut');
    expect((await app.request('POST', '/api/billing/recheck', { as: caller })).status).toBe(502);
    expect((await app.request('POST', '/api/billing/recheck')).status).toBe(401);
    expect((await app.request('GET', '/api/billing')).status).toBe(401);
  });

  test('only one’s own payments', async () => {
    await buyer();
    const other = await app.signUp();
    expect(await billing(other)).toMatchObject({
      plan: 'free',
      provider: 'paystack',
      price: { usd: 15, amount: 27_500, currency: 'ZAR' },
      payments: [],
    });
  });

  test('a changed payment and plan reach the open tabs', async () => {
    const { caller, reference } = await buyer();
    const heard: unknown[] = [];
    const stop = app.deps.live.subscribe(caller.uid, (message) => heard.push(message));
    paystack.pay(reference);
    await notify(noticeOf(reference));
    await expect.poll(() => heard).toContainEqual({ event: 'changed', data: { topic: 'account', id: caller.uid } });
    stop();
  });
});

test('the operator’s books show what needs a person first, with every event', async () => {
  const { caller, reference } = await buyer();
  paystack.pay(reference, { amount: 27_499 });
  await notify(noticeOf(reference));
  const later = await buyer();
  const { ok, message } = await runAdminCommand(app.deps, ['payments']);
  expect(ok).toBe(true);
  const lines = message.split('\n');
  expect(lines[0]).toBe(`refused    ZAR 275.00 test    ${reference}  ${caller.email}`);
  expect(message).toContain('refused (webhook): amount 27499 instead of 27500');
  expect(message).toContain(`open       ZAR 275.00 test    ${later.reference}`);
  const own = await runAdminCommand(app.deps, ['payments', later.caller.email]);
  expect(own.message).not.toContain(reference);
  expect((await runAdminCommand(app.deps, ['payments', 'nobody@example.com'])).ok).toBe(false);
});

test('the secret key is in no answer and no line of the log, whatever the provider repeats of it', async () => {
  const caller = await app.signUp();
  const answers = [];
  const env = { ...paystack.env, PAYSTACK_SECRET_KEY: 'sk_test_wr0ng9876543210', PAYSTACK_PUBLIC_KEY: TEST_KEYS.open };
  const wrong = await testApp({ env, database: app.deps.database, log: createLog((line) => logged.push(line)) });
  answers.push(await wrong.request('POST', '/api/billing/checkout', { as: caller }));
  await wrong.close();
  paystack.behave('error');
  answers.push(await checkout(caller), await app.request('GET', '/api/billing', { as: caller }));
  expect(logged.some((line) => line.includes('billing.provider'))).toBe(true);
  const everything = `${logged.join('\n')}${JSON.stringify(answers)}`;
  for (const key of [TEST_KEYS.secret, 'sk_test_wr0ng9876543210']) expect(everything).not.toContain(key.slice(8));
});
