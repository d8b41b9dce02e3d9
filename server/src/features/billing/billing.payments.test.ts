import { billingAnswer, checkoutAnswer, verifyAnswer } from '@atelier/contract/billing';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { TEST_KEYS } from '../../testing/fake-paystack.ts';
import { openShop } from '../../testing/shop.ts';
import { reconcile } from './billing.reconcile.service.ts';
import { payments } from './billing.table.ts';

const shop = await openShop();

describe('checkout', () => {
  test('asks the provider for the exact amount, with the metadata, for a reference bound to the user', async () => {
    const caller = await shop.app.signUp();
    const { body } = await shop.checkout(caller);
    expect(checkoutAnswer.parse(body)).toMatchObject({
      provider: 'paystack',
      publicKey: TEST_KEYS.open,
      amount: 27_500,
      currency: 'ZAR',
      accessCode: `code-${body.reference}`,
    });
    expect(shop.paystack.transactions.get(body.reference)).toMatchObject({
      amount: 27_500,
      currency: 'ZAR',
      email: caller.email,
      metadata: { userId: caller.uid, purchaseType: 'one_time_pro', custom_fields: [] },
    });
    expect(await shop.ledger(body.reference)).toEqual(['issued checkout', 'open checkout']);
  });

  test('one that was not used is handed out again, one that failed is not', async () => {
    const { caller, reference } = await shop.buyer();
    expect((await shop.checkout(caller)).body.reference).toBe(reference);
    shop.paystack.tell(reference, { status: 'pending' });
    expect((await shop.checkout(caller)).body.reference).toBe(reference);
    shop.paystack.tell(reference, { status: 'failed' });
    const next = (await shop.checkout(caller)).body.reference;
    expect(next).not.toBe(reference);
    expect(shop.paystack.calls.filter((call) => call === 'POST initialize')).toHaveLength(2);
  });

  test('20 at once get one reference', async () => {
    const caller = await shop.app.signUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.checkout(caller)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1);
    expect(await shop.app.deps.db.select().from(payments)).toHaveLength(1);
  });

  test('asking more than a payment takes is slowed down: 429 with Retry-After; another user is unharmed', async () => {
    const caller = await shop.app.signUp();
    const { reference } = (await shop.checkout(caller)).body;
    const verify = () => shop.app.request('POST', '/api/billing/verify', { as: caller, body: { reference } });
    const answers = await Promise.all(Array.from({ length: 122 }, verify));
    expect(answers.filter(({ status }) => status !== 429)).toHaveLength(119);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await shop.checkout(await shop.app.signUp())).status).toBe(200);
  });

  test('a Pro user is refused, also one whose open payment turns out to be paid', async () => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference);
    const { status, body } = await shop.checkout(caller);
    expect([status, body.error.message]).toEqual([409, 'You are already Pro. There is nothing more to pay.']);
    expect(await shop.account(caller)).toMatchObject({ subscriptionStatus: 'pro', lastReference: reference });
    expect((await shop.checkout(caller)).status).toBe(409);
    expect(await shop.ledger(reference)).toEqual(['issued checkout', 'open checkout', 'paid checkout']);
  });

  test('without the provider there is no new one, and afterwards there is', async () => {
    const caller = await shop.app.signUp();
    for (const trouble of ['error', 'cut'] as const) {
      shop.paystack.behave(trouble);
      const { status, body } = await shop.checkout(caller);
      expect([status, body.error.code]).toEqual([502, 'provider_failed']);
    }
    shop.paystack.behave('none');
    // The first never got there. It does not stand in the way, and is given up once it can't be on its way any more.
    const first = (await shop.billing(caller)).payments[0]?.reference ?? '';
    expect((await shop.checkout(caller)).status).toBe(200);
    expect((await shop.billing(caller)).payments.map(({ state }) => state)).toEqual(['open', 'failed']);
    await shop.app.deps.db
      .update(payments)
      .set({ handedOutAt: sql`now() - interval '2 minutes'` })
      .where(eq(payments.reference, first));
    await shop.verify(caller, first);
    expect((await shop.billing(caller)).payments.map(({ state }) => state)).toEqual(['open', 'void']);
    // It did get there, and somebody paid it: nothing is too late for that.
    shop.paystack.pay(first);
    expect((await shop.verify(caller, first)).body.plan).toBe('pro');
  });
});

describe('verify', () => {
  test('a paid reference makes Pro: both fields, reference and time', async () => {
    const { caller, reference } = await shop.buyer();
    const before = await shop.account(caller);
    shop.paystack.pay(reference);
    const answer = verifyAnswer.parse((await shop.verify(caller, reference)).body);
    expect(answer).toMatchObject({ plan: 'pro', payment: { state: 'paid', amount: 27_500, currency: 'ZAR' } });
    const after = await shop.account(caller);
    expect(after).toMatchObject({
      subscriptionStatus: 'pro',
      subscriptionTier: 'pro',
      lastReference: reference,
      lastPaidAt: Date.parse('2026-01-02T03:04:05.678Z'),
    });
    expect(after.lastUpdated > before.lastUpdated).toBe(true);
  });

  test('what the form reported gives nothing, stays known while the provider is away, and ends with its answer', async () => {
    const { caller, reference } = await shop.buyer();
    const report = (as: typeof caller, word: unknown) =>
      shop.app.request('POST', '/api/billing/verify', { as, body: { reference, report: word } });
    shop.paystack.behave('error');
    expect((await report(caller, 'reported')).status).toBe(502);
    expect((await report(caller, 'reported')).status).toBe(502);
    shop.paystack.behave('none');
    const shown = async () => (await shop.billing(caller)).payments[0];
    expect(await shown()).toMatchObject({ state: 'open', confirming: 'reported' });
    expect((await shop.ledger(reference)).filter((line) => line.startsWith('reported'))).toHaveLength(1);
    expect((await shop.account(caller)).subscriptionStatus).toBe('free');

    expect((await report(await shop.app.signUp(), 'reported')).status).toBe(404);
    expect((await report(caller, 'paid')).status).toBe(400);
    await shop.app.deps.database.executeSql(`update payment_events set created_at = now() - interval '61 minutes'`);
    expect(await shown()).toMatchObject({ confirming: null });
    await report(caller, 'transfer');
    expect(await shown()).toMatchObject({ confirming: 'transfer' });
    shop.paystack.tell(reference, { status: 'failed' });
    expect((await shop.verify(caller, reference)).body.payment).toMatchObject({ state: 'failed', confirming: null });
    shop.paystack.pay(reference);
    expect((await report(caller, 'reported')).body).toMatchObject({ plan: 'pro', payment: { confirming: null } });
  });

  test('somebody else’s reference and one never issued are 404, even when paid', async () => {
    const { reference } = await shop.buyer();
    const other = await shop.app.signUp();
    shop.paystack.pay(reference);
    shop.paystack.pay('atelier-never-issued');
    for (const one of [reference, 'atelier-never-issued', "x' or '1'='1"]) {
      expect((await shop.verify(other, one)).status).toBe(404);
    }
    expect((await shop.account(other)).subscriptionStatus).toBe('free');
  });

  test('the grant can’t be written: a sentence, nothing half done, and it follows by itself', async () => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference);
    await shop.app.deps.database.executeSql('alter table pro_grants rename to pro_grants_away');
    try {
      const { status, body } = await shop.verify(caller, reference);
      expect([status, body.error.message]).toEqual([
        503,
        'Payment succeeded, but we couldn’t update your account. Please contact support.',
      ]);
      expect((await shop.account(caller)).subscriptionStatus).toBe('free');
      expect((await shop.billing(caller)).payments[0]?.state).toBe('open');
    } finally {
      await shop.app.deps.database.executeSql('alter table pro_grants_away rename to pro_grants');
    }
    await shop.makeDue();
    await reconcile(shop.app.deps);
    expect((await shop.account(caller)).subscriptionStatus).toBe('pro');
    expect(await shop.ledger(reference)).toEqual(['issued checkout', 'open checkout', 'paid reconciliation']);
  });
});

describe('what a person sees', () => {
  test('“I paid but am still Free” asks about all open references at once', async () => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.tell(reference, { status: 'failed' });
    await shop.checkout(caller);
    shop.paystack.pay(reference);
    const { status, body } = await shop.app.request('POST', '/api/billing/recheck', { as: caller });
    expect([status, billingAnswer.parse(body).plan]).toEqual([200, 'pro']);
    shop.paystack.behave('cut');
    const other = await shop.buyer().catch(() => null);
    expect(other).toBeNull();
  });

  test('a changed payment and plan reach the open tabs', async () => {
    const { caller, reference } = await shop.buyer();
    const heard: unknown[] = [];
    const stop = shop.app.deps.live.subscribe(caller.uid, (message) => heard.push(message));
    shop.paystack.pay(reference);
    await shop.notify(shop.noticeOf(reference));
    await expect.poll(() => heard).toContainEqual({ event: 'changed', data: { topic: 'account', id: caller.uid } });
    stop();
  });
});
