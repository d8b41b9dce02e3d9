import type { PaymentMode, PaymentSource, PaymentState, ProviderName } from '@atelier/contract/billing';
import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { owner } from '../accounts/accounts.table.ts';

/** Why an account is Pro: one row for each grant, never changed. */
export const proGrants = pgTable(
  'pro_grants',
  {
    userId: owner(),
    id: uuid('id').notNull(),
    source: text('source', { enum: ['operator', 'payment'] }).notNull(),
    reason: text('reason').notNull(),
    reference: text('reference'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] }), index('pro_grants_reference').on(t.reference)],
);

/** Every reference that we ever issued, bound to its user before the provider hears of it. */
export const payments = pgTable(
  'payments',
  {
    // A provider's webhooks name nothing else, so the reference alone is the key (decision 0003).
    reference: text('reference').primaryKey(),
    userId: owner(),
    /** Who is asked about it, and whose webhooks count. */
    provider: text('provider').$type<ProviderName>().notNull(),
    mode: text('mode').$type<PaymentMode>().notNull(),
    state: text('state').$type<PaymentState>().notNull(),
    /** Opens the provider's checkout; null until the provider has registered the reference. */
    checkoutToken: text('checkout_token'),
    /** Minor units. */
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When a browser last got it to pay with. */
    handedOutAt: instant('handed_out_at').notNull().defaultNow(),
    paidAt: instant('paid_at'),
    /** A refund is due, or there was a refund or a dispute: the operator’s books begin with these. */
    attention: boolean('attention').notNull().default(false),
    /** When the provider is asked about it again; null once nothing can change any more. */
    nextCheckAt: instant('next_check_at'),
  },
  (t) => [
    unique('payments_user_reference').on(t.userId, t.reference),
    index('payments_user').on(t.userId, t.createdAt),
    // References begin with their time.
    index('payments_list').on(t.attention, t.reference),
    index('payments_due').on(t.nextCheckAt).where(sql`next_check_at is not null`),
  ],
);

export type PaymentRow = typeof payments.$inferSelect;

/** The ledger: what became known of a payment, when and from whom. Rows are added, never changed. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    userId: text('user_id').notNull(),
    id: uuid('id').notNull(),
    reference: text('reference').notNull(),
    /** A state of the payment, or the provider's name of a refund or dispute event. */
    entry: text('entry').notNull(),
    source: text('source').$type<PaymentSource>().notNull(),
    /** For the operator: why refused, or the id of the provider's event. */
    note: text('note'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    foreignKey({
      columns: [t.userId, t.reference],
      foreignColumns: [payments.userId, payments.reference],
    }).onDelete('cascade'),
    index('payment_events_reference').on(t.userId, t.reference),
  ],
);
