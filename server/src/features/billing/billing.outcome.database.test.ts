import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { eventually } from '../../testing/eventually.ts';
import { openShop } from '../../testing/shop.ts';
import { runAdminCommand } from '../operator/operator.service.ts';
import { lockPayment, RECHECK_SECONDS, writeEvent } from './billing.ledger.service.ts';
import { RECONCILE_QUEUE, reconcile, reconcileSoon, registerBillingJobs } from './billing.reconcile.service.ts';
import { paymentEvents, payments, proGrants } from './billing.table.ts';

const shop = await openShop();

describe('webhook', () => {
  test('a signed notice makes Pro before the browser is back, without origin or cookie', async () => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference);
    expect((await shop.notify(shop.noticeOf(reference))).status).toBe(200);
    expect((await shop.account(caller)).subscriptionStatus).toBe('pro');
    expect((await shop.verify(caller, reference)).body).toMatchObject({ plan: 'pro', payment: { state: 'paid' } });
    expect(await shop.ledger(reference)).toEqual(['issued checkout', 'open checkout', 'paid webhook']);
  });

  test('refused: a wrong signature, that of another body, none, and garbage', async () => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference);
    const { body, signature } = shop.noticeOf(reference);
    const others = [
      shop.paystack.notice('charge.success', shop.paystack.transactions.get(reference), 'sk_test_another').signature,
      shop.paystack.notice('charge.success', { reference: 'another' }).signature,
      `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`,
      signature.slice(0, 64),
      '',
      'zz'.repeat(64),
    ];
    for (const wrong of others) expect((await shop.notify({ body, signature: wrong })).status).toBe(403);
    expect((await shop.app.request('POST', '/api/webhooks/paystack', { body })).status).toBe(403);
    expect((await shop.account(caller)).subscriptionStatus).toBe('free');
  });

  test.each([
    ['amount 27499', { amount: 27_499 }],
    ['currency NGN', { currency: 'NGN' }],
    ['status failed', { status: 'failed' }],
    ['the live domain under a test key', { domain: 'live' }],
  ])('signed, but refused: %s', async (_, change) => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference, change);
    expect((await shop.notify(shop.noticeOf(reference))).status).toBe(200);
    expect((await shop.account(caller)).subscriptionStatus).toBe('free');
  });

  test('a reference never issued changes nothing', async () => {
    const { caller } = await shop.buyer();
    shop.paystack.pay('atelier-never-issued', { metadata: { userId: caller.uid } });
    expect((await shop.notify(shop.noticeOf('atelier-never-issued'))).status).toBe(200);
    expect((await shop.account(caller)).subscriptionStatus).toBe('free');
    expect(await shop.app.deps.db.select().from(payments)).toHaveLength(1);
  });

  test('the replay of an old notice does nothing, also after Pro was taken away by hand', async () => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference);
    await shop.notify(shop.noticeOf(reference));
    await shop.app.deps.database.executeSql(
      `update profiles set subscription_status = 'free', subscription_tier = 'free'`,
    );
    for (const _ of [1, 2, 3]) expect((await shop.notify(shop.noticeOf(reference))).status).toBe(200);
    expect((await shop.account(caller)).subscriptionStatus).toBe('free');
    expect(await shop.app.deps.db.select().from(proGrants)).toHaveLength(1);
  });

  test('each line of the ledger has its own moment, however long its transaction waited', async () => {
    const { reference } = await shop.buyer();
    await shop.app.deps.db.transaction(async (tx) => {
      const payment = await lockPayment(tx, reference);
      if (payment === undefined) throw new Error('There is no payment.');
      await writeEvent(tx, payment, { entry: 'first', source: 'webhook' });
      await tx.execute(sql`select pg_sleep(0.05)`);
      await writeEvent(tx, payment, { entry: 'second', source: 'webhook' });
    });
    const rows = await shop.app.deps.db.select().from(paymentEvents).orderBy(paymentEvents.createdAt);
    const [first, second] = rows.slice(-2).map(({ entry, createdAt }) => ({ entry, at: createdAt.getTime() }));
    expect([first?.entry, second?.entry]).toEqual(['first', 'second']);
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(50);
  });

  test('signed but unreadable is 400, an event of another kind is accepted, too large is 413', async () => {
    expect((await shop.notify(shop.paystack.notice('charge.success', { reference: 7 }))).status).toBe(400);
    expect((await shop.notify(shop.paystack.notice('refund.processed', 'x'))).status).toBe(400);
    expect((await shop.notify(shop.paystack.notice('transfer.success', { any: 'thing' }))).status).toBe(200);
    expect((await shop.notify(shop.paystack.notice('charge.success', 'x'.repeat(300_000)))).status).toBe(413);
  });

  test('refunds and disputes are written down once and take nothing away', async () => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference);
    await shop.notify(shop.noticeOf(reference));
    const part = shop.paystack.notice('refund.processed', {
      refund_reference: 'r-1',
      transaction_reference: reference,
      amount: '100',
    });
    const refund = shop.paystack.notice('refund.processed', {
      id: 11,
      transaction_reference: reference,
      status: 'processed',
    });
    const dispute = shop.paystack.notice('charge.dispute.create', {
      id: 22,
      transaction: { reference },
      status: 'pending',
    });
    for (const one of [dispute, dispute, part, part, refund, refund]) expect((await shop.notify(one)).status).toBe(200);
    expect(await shop.ledger(reference)).toEqual([
      'issued checkout',
      'open checkout',
      'paid webhook',
      'charge.dispute.create webhook',
      'refund.processed webhook',
      'refund.processed webhook',
      'refunded webhook',
    ]);
    expect((await shop.account(caller)).subscriptionStatus).toBe('pro');
    expect((await shop.billing(caller)).payments[0]).toMatchObject({ state: 'refunded' });
  });
});

test('100 notices and verifications of one reference at once, in two processes: one grant, one end state', async () => {
  const second = await shop.another();
  const { caller, reference } = await shop.buyer();
  shop.paystack.pay(reference);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => {
      const at = n % 4 < 2 ? shop.app : second;
      return n % 2 ? shop.notify(shop.noticeOf(reference), at) : shop.verify(caller, reference, at);
    }),
  );
  expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  expect(await shop.app.deps.db.select().from(proGrants)).toHaveLength(1);
  const entries = await shop.ledger(reference);
  expect(entries.filter((entry) => entry.startsWith('paid '))).toHaveLength(1);
  expect(entries).toHaveLength(3);
  await second.close();
  expect((await shop.account(caller)).subscriptionStatus).toBe('pro');
});

test('a second paid one is flagged for a refund', async () => {
  const { caller, reference: first } = await shop.buyer();
  shop.paystack.tell(first, { status: 'failed' });
  const second = (await shop.checkout(caller)).body.reference;
  shop.paystack.pay(second);
  await shop.verify(caller, second);
  shop.paystack.pay(first);
  await shop.notify(shop.noticeOf(first));
  const { payments: shown } = await shop.billing(caller);
  expect(shown.map(({ reference, state }) => [reference, state])).toEqual([
    [second, 'paid'],
    [first, 'refund_due'],
  ]);
  expect((await shop.account(caller)).lastReference).toBe(second);
});

describe('reconciliation', () => {
  test('the browser closed after paying: the durable job makes Pro', async () => {
    const { caller, reference } = await shop.buyer();
    shop.paystack.pay(reference);
    await shop.makeDue();
    await reconcileSoon(shop.app.deps);
    await eventually(async () => expect((await shop.account(caller)).subscriptionStatus).toBe('pro'));
    expect((await shop.ledger(reference)).at(-1)).toBe('paid reconciliation');
  });

  test('its job comes by itself each minute', () => {
    const declared: unknown[] = [];
    const jobs: Jobs = { ...shop.app.deps.jobs, handle: (queue, _fn, options) => declared.push([queue, options]) };
    registerBillingJobs({ ...shop.app.deps, jobs });
    expect(declared).toContainEqual([RECONCILE_QUEUE, { cron: '* * * * *' }]);
  });

  test('what is open is asked about at most 60 s apart for a day, then hourly; what is closed no more', async () => {
    const { caller, reference } = await shop.buyer();
    const wait = async () => {
      const { rows } = await shop.app.deps.database.executeSql(
        'select extract(epoch from next_check_at - now()) as seconds from payments',
      );
      return Number(rows[0]?.seconds);
    };
    // The next check, and half a minute until the job looks for what is due.
    expect(RECHECK_SECONDS + 30).toBeLessThan(60);
    await shop.makeDue();
    await reconcile(shop.app.deps);
    expect(await wait()).toBeLessThanOrEqual(RECHECK_SECONDS);
    await shop.app.deps.db.update(payments).set({ handedOutAt: sql`now() - interval '25 hours'` });
    await shop.makeDue();
    await reconcile(shop.app.deps);
    expect(await wait()).toBeGreaterThan(3_500);
    shop.paystack.pay(reference);
    await shop.makeDue();
    await reconcile(shop.app.deps);
    const asked = shop.paystack.calls.length;
    expect((await shop.account(caller)).subscriptionStatus).toBe('pro');
    await reconcile(shop.app.deps);
    expect(shop.paystack.calls.length).toBe(asked);
  });

  test('a provider that is away is asked again; two processes at once ask once each', async () => {
    const buyers = [];
    for (let n = 0; n < 12; n += 1) buyers.push(await shop.buyer());
    for (const { reference } of buyers) shop.paystack.pay(reference);
    await shop.makeDue();
    shop.paystack.behave('error');
    await reconcile(shop.app.deps);
    shop.paystack.behave('none');
    await shop.makeDue();
    shop.paystack.calls.length = 0;
    await Promise.all([reconcile(shop.app.deps), reconcile(shop.app.deps)]);
    expect(shop.paystack.calls).toHaveLength(12);
    for (const { caller } of buyers) expect((await shop.account(caller)).subscriptionStatus).toBe('pro');
  });
});

test('the operator’s books show what needs a person first, with every event', async () => {
  const { caller, reference } = await shop.buyer();
  shop.paystack.pay(reference, { amount: 27_499 });
  await shop.notify(shop.noticeOf(reference));
  const later = await shop.buyer();
  const { ok, message } = await runAdminCommand(shop.app.deps, ['payments']);
  expect(ok).toBe(true);
  const lines = message.split('\n');
  expect(lines[0]).toBe(`refused    ZAR 275.00 test    ${reference}  ${caller.email}`);
  expect(message).toContain('refused (webhook): amount 27499 instead of 27500');
  expect(message).toContain(`open       ZAR 275.00 test    ${later.reference}`);
  const own = await runAdminCommand(shop.app.deps, ['payments', later.caller.email]);
  expect(own.message).not.toContain(reference);
  expect((await runAdminCommand(shop.app.deps, ['payments', 'nobody@example.com'])).ok).toBe(false);
});
