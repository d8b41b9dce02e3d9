import { billingAnswer, checkoutAnswer } from '@atelier/contract/billing';
import { eq, sql } from 'drizzle-orm';
import { beforeEach } from 'vitest';
import { paymentEvents, payments } from '../features/billing/billing.table.ts';
import { createLog } from '../platform/log.ts';
import { startFakePaystack, TEST_KEYS } from './fake-paystack.ts';
import { emptyApp, type TestUser, testApp } from './harness.ts';
import { closing } from './lifetimes.ts';

/** The app with test keys, its provider, and what buyers and the provider do; empty before each test. Here the tests say when to re-check. */
export async function openShop() {
  const logged: string[] = [];
  const paystack = await closing(startFakePaystack());
  const env = { ...paystack.env, PAYSTACK_SECRET_KEY: TEST_KEYS.secret, PAYSTACK_PUBLIC_KEY: TEST_KEYS.open };
  const app = await emptyApp({ env, log: createLog((line) => logged.push(line)) });
  beforeEach(() => paystack.reset());

  const checkout = (as: TestUser) => app.request('POST', '/api/billing/checkout', { as });
  return {
    app,
    paystack,
    logged,
    checkout,
    /** Another process on the same database. */
    another: () => testApp({ env, database: app.deps.database }),
    /** A user with an open checkout. */
    async buyer() {
      const caller = await app.signUp();
      const { status, body } = await checkout(caller);
      if (status !== 200) throw new Error(`checkout answered ${status}`);
      return { caller, reference: checkoutAnswer.parse(body).reference };
    },
    verify: (as: TestUser, reference: string, at = app) =>
      at.request('POST', '/api/billing/verify', { as, body: { reference } }),
    billing: async (as: TestUser) => billingAnswer.parse((await app.request('GET', '/api/billing', { as })).body),
    account: async (as: TestUser) => (await app.request('GET', '/api/me', { as })).body.account,
    /** Sends the provider's notice, from its own origin. */
    notify: ({ body, signature }: { body: string; signature: string }, at = app) =>
      at.request('POST', '/api/webhooks/paystack', {
        body,
        headers: { 'x-paystack-signature': signature, origin: 'https://paystack.example' },
      }),
    noticeOf: (reference: string) => paystack.notice('charge.success', paystack.transactions.get(reference)),
    /** What the ledger holds of a reference, oldest first. */
    ledger: async (reference: string) =>
      (await app.deps.db.select().from(paymentEvents).where(eq(paymentEvents.reference, reference)))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ entry, source }) => `${entry} ${source}`),
    /** Lets every open payment be due for its re-check. */
    makeDue: () =>
      app.deps.db
        .update(payments)
        .set({ nextCheckAt: sql`now() - interval '1 second'` })
        .where(sql`next_check_at is not null`),
  };
}
