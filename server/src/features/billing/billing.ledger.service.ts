import type { PaymentSource, PaymentState } from '@atelier/contract/billing';
import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { isClosed } from './billing.judge.ts';
import { type PaymentRow, paymentEvents, payments } from './billing.table.ts';

/** Seconds until an open payment is asked about again, and for how long that holds; afterwards hourly. */
export const RECHECK_SECONDS = 25;
export const nextCheck = sql`now() + case when ${payments.handedOutAt} > now() - interval '24 hours'
  then make_interval(secs => ${RECHECK_SECONDS}) else interval '1 hour' end`;

/** The payment, locked until the transaction ends. */
export async function lockPayment(tx: Tx, reference: string): Promise<PaymentRow | undefined> {
  const [row] = await tx.select().from(payments).where(eq(payments.reference, reference)).for('update');
  return row;
}

/** Adds a line to the ledger. */
export async function writeEvent(
  tx: Tx,
  payment: Pick<PaymentRow, 'userId' | 'reference'>,
  event: { entry: string; source: PaymentSource; note?: string | undefined },
): Promise<void> {
  const { userId, reference } = payment;
  await tx.insert(paymentEvents).values({ userId, id: uuidv7(), reference, ...event });
}

/** Whether the ledger of a payment has this entry already; with a note, only where that is the same too. */
export async function hasEvent(tx: Tx, payment: PaymentRow, entry: string, note?: string): Promise<boolean> {
  const own = and(eq(paymentEvents.userId, payment.userId), eq(paymentEvents.reference, payment.reference));
  const same = and(eq(paymentEvents.entry, entry), note === undefined ? undefined : eq(paymentEvents.note, note));
  return (await tx.$count(paymentEvents, and(own, same))) > 0;
}

/** Gives a locked payment its next state, writes that down and tells the user's open pages; the same state again changes nothing. */
export async function enterState(
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  payment: PaymentRow,
  to: { state: PaymentState; source: PaymentSource; note?: string | undefined; paidAt?: Date },
): Promise<PaymentRow> {
  if (payment.state === to.state) return payment;
  const over = isClosed(to.state) || to.state === 'void';
  const [row] = await tx
    .update(payments)
    .set({
      state: to.state,
      ...(to.paidAt === undefined ? {} : { paidAt: to.paidAt }),
      nextCheckAt: over ? null : nextCheck,
    })
    .where(eq(payments.reference, payment.reference))
    .returning();
  await writeEvent(tx, payment, { entry: to.state, source: to.source, note: to.note });
  await ctx.live.notify(tx, payment.userId, 'account', payment.userId);
  return row ?? payment;
}
