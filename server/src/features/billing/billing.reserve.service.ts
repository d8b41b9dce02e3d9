import { PRO_PRICE } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { PaymentProvider } from '../../platform/payments/payments.ts';
import { lockPlan } from '../accounts/usage.service.ts';
import { writeEvent } from './billing.ledger.service.ts';
import { ON_ITS_WAY_SECONDS } from './billing.outcome.service.ts';
import { payments } from './billing.table.ts';

/** Behind the lock of the user's plan: the payment to go on with, or a new one, bound to the user before the provider hears of it. */
export async function reserve(ctx: Deps, userId: string, { name, mode }: PaymentProvider) {
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
