import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { user } from '../accounts/accounts.table.ts';

/**
 * Messages of the contact page, each with the state of its delivery. Who writes need not have an account, so the id alone is
 * the key (decision 0013). `waiting`: not sent yet, also after attempts that failed; `sending`: an attempt has begun;
 * `sent`; `refused`: the mail service said no, which the next start tries again; `held`: looks like a machine's, never sent.
 */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: uuid('id').primaryKey(),
    userId: text('user_id').references(() => user.id, { onDelete: 'cascade' }),
    /** Where an answer goes. */
    email: text('email').notNull(),
    message: text('message').notNull(),
    /** The same for the same words of the same person under one idempotency key. */
    fingerprint: text('fingerprint').notNull(),
    state: text('state', { enum: ['waiting', 'sending', 'sent', 'refused', 'held'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** An attempt began after one of which nobody knows how it ended: it may have arrived twice. */
    perhapsTwice: boolean('perhaps_twice').notNull().default(false),
    /** Nobody knows how the latest attempt ended, though its process lived. */
    unsure: boolean('unsure').notNull().default(false),
    /** The mail service that the latest attempt went to, its status, and what it said. */
    service: text('service', { enum: ['smtp', 'emailjs'] }),
    status: integer('status'),
    note: text('note'),
    createdAt: instant('created_at').notNull().defaultNow(),
    attemptedAt: instant('attempted_at'),
    sentAt: instant('sent_at'),
    /** When delivery is tried next; null once it is over. While `sending`: when the attempt is taken for dead. */
    nextAttemptAt: instant('next_attempt_at'),
  },
  (t) => [
    unique('contact_messages_once').on(t.fingerprint),
    index('contact_messages_due').on(t.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index('contact_messages_list').on(t.createdAt),
    index('contact_messages_user').on(t.userId),
  ],
);

export type ContactRow = typeof contactMessages.$inferSelect;
