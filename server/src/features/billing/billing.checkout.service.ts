import { type Checkout, PAYMENT_OFF, type PaymentSource, PRO_PRICE } from '@atelier/contract/billing';
import { type Distrust, SENTENCES } from '@atelier/contract/errors';
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { PaymentProvider } from '../../platform/payments/payments.ts';
import { lockPlan } from '../accounts/accounts.counts.service.ts';
import {
  enterState,
  hasProvider,
  lockPayment,
  providerTrouble,
  RECHECK_SECONDS,
  writeEvent,
} from './billing.ledger.service.ts';
import { checkPayment, ON_ITS_WAY_SECONDS } from './billing.outcome.service.ts';
import { type PaymentRow, payments } from './billing.table.ts';

const POLL_MS = 200;
const POLLS = 75;

/** Asks the providers that are configured about every open payment of the user. */
export async function checkOpenPayments(ctx: Deps, userId: string, source: PaymentSource): Promise<void> {
  const open = and(eq(payments.userId, userId), hasProvider(ctx), isNotNull(payments.nextCheckAt));
  for (const payment of await ctx.db.select().from(payments).where(open)) await checkPayment(ctx, payment, source);
}

/**
 * What the browser needs to open the provider's checkout. Every open payment of the caller is verified first; one that was not used is
 * handed out again rather than a new one issued. 409 where the caller is Pro (also when that turns out here), 502 where the provider can't
 * be reached, 503 where nothing can be bought, 403 where only who asks can't.
 */
export async function startCheckout(ctx: Deps, caller: Caller): Promise<Checkout> {
  const { current: provider, offBecause } = ctx.payments;
  if (provider === null) throw paymentOff(offBecause ?? 'settings');
  await checkOpenPayments(ctx, caller.uid, 'checkout');
  const { payment, fresh } = await reserve(ctx, caller.uid, provider);
  const token = fresh ? await register(ctx, provider, caller, payment) : await tokenOf(ctx, payment);
  await handOut(ctx, payment.reference, token);
  return {
    provider: provider.name,
    accessCode: token,
    reference: payment.reference,
    publicKey: provider.publicKey,
    amount: payment.amount,
    currency: payment.currency,
  };
}

/** Nobody can buy here, or not who asks. */
const paymentOff = (because: Distrust) =>
  new AppError(because === 'settings' ? 'unavailable' : 'forbidden', PAYMENT_OFF[because]);

/** Registers the payment with its provider; returns the token that opens the checkout. */
async function register(ctx: Deps, provider: PaymentProvider, caller: Caller, payment: PaymentRow): Promise<string> {
  const { reference, amount, currency } = payment;
  const metadata = { userId: caller.uid, purchaseType: 'one_time_pro', custom_fields: [] };
  return provider
    .createCheckout({ reference, email: caller.email, amount, currency, metadata })
    .catch(async (error: unknown) => {
      // It may have got there, but nobody has its token: it is still watched, and the next attempt takes a new one.
      await ctx.db.transaction(async (tx) => {
        const locked = await lockPayment(tx, reference);
        const failed = { state: 'failed', source: 'checkout', note: 'not registered' } as const;
        if (locked?.nextCheckAt) await enterState(ctx, tx, locked, failed);
      });
      return providerTrouble(ctx)(error);
    });
}

/** The payment's checkout token, once the request that registers it has it. */
async function tokenOf(ctx: Deps, payment: PaymentRow): Promise<string> {
  if (payment.checkoutToken !== null) return payment.checkoutToken;
  for (let poll = 0; poll < POLLS; poll += 1) {
    const [row] = await ctx.db.select().from(payments).where(eq(payments.reference, payment.reference));
    if (row?.checkoutToken) return row.checkoutToken;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new AppError('provider_failed', SENTENCES.paymentProviderFailed);
}

/** Notes that a browser has it now, unless it was paid in the meantime. */
async function handOut(ctx: Deps, reference: string, checkoutToken: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, reference);
    if (payment === undefined) throw new AppError('signed_out', SENTENCES.signedOut);
    if (payment.nextCheckAt === null) throw new AppError('conflict', SENTENCES.alreadyPro);
    await enterState(ctx, tx, payment, { state: 'open', source: 'checkout' });
    const nextCheckAt = sql`now() + make_interval(secs => ${RECHECK_SECONDS})`;
    const handedOut = { checkoutToken, handedOutAt: sql`now()`, nextCheckAt };
    await tx.update(payments).set(handedOut).where(eq(payments.reference, reference));
  });
}

/** Behind the lock of the user's plan: the payment to go on with, or a new one, bound to the user before the provider hears of it. */
async function reserve(ctx: Deps, userId: string, { name, mode }: PaymentProvider) {
  return ctx.db.transaction(async (tx) => {
    if ((await lockPlan(tx, userId)) === 'pro') throw new AppError('conflict', SENTENCES.alreadyPro);
    const own = and(eq(payments.userId, userId), eq(payments.provider, name), eq(payments.mode, mode));
    // Money that doesn't fit is with the provider until it is given back: another payment would be a second charge.
    if ((await tx.$count(payments, and(own, eq(payments.state, 'refused')))) > 0)
      throw new AppError('conflict', SENTENCES.paymentNotWritten);
    const [usable] = await tx
      .select()
      .from(payments)
      .where(
        and(
          own,
          eq(payments.amount, PRO_PRICE.amount),
          eq(payments.currency, PRO_PRICE.currency),
          or(
            and(isNotNull(payments.checkoutToken), inArray(payments.state, ['open', 'abandoned', 'pending'])),
            // Another page of theirs is registering it right now.
            and(
              isNull(payments.checkoutToken),
              inArray(payments.state, ['issued', 'open', 'abandoned', 'pending']),
              gt(payments.handedOutAt, sql`now() - make_interval(secs => ${ON_ITS_WAY_SECONDS / 2})`),
            ),
          ),
        ),
      )
      .orderBy(desc(payments.createdAt))
      .limit(1);
    if (usable !== undefined) return { payment: usable, fresh: false };
    const { amount, currency } = PRO_PRICE;
    const [payment] = await tx
      .insert(payments)
      .values({
        reference: `atelier-${uuidv7()}`,
        userId,
        provider: name,
        mode,
        state: 'issued',
        amount,
        currency,
        nextCheckAt: sql`now()`,
      })
      .returning();
    if (payment === undefined) throw new Error('the payment was not written');
    await writeEvent(tx, payment, { entry: 'issued', source: 'checkout' });
    await ctx.live.notify(tx, userId, 'account', userId);
    return { payment, fresh: true };
  });
}
