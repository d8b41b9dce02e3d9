import type { InboxBox } from '@atelier/contract/operator/inbox';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { user } from '../accounts/accounts.table.ts';

/** In which box of the operator's inbox a message is; the index has the same words. */
export const inboxBox = sql<InboxBox>`(case when answered_at is not null then 'answered' when state = 'held' then 'held' else 'open' end)`;

/**
 * Messages of the contact page with their delivery. The author may have no account, so the key is the id alone (decision 0013). `waiting`:
 * not sent yet, perhaps after failed attempts; `sending`: an attempt has begun; `sent`; `refused`: the mail service refused, and the next
 * start tries again; `held`: looks automated, never sent.
 */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: uuid('id').primaryKey(),
    userId: text('user_id').references(() => user.id, { onDelete: 'cascade' }),
    /** Where to reply. */
    email: text('email').notNull(),
    message: text('message').notNull(),
    /** Equal for the same words of the same person under one idempotency key. */
    fingerprint: text('fingerprint').notNull(),
    state: text('state', { enum: ['waiting', 'sending', 'sent', 'refused', 'held'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** An earlier attempt ended unknown, so the message may have arrived twice. */
    perhapsTwice: boolean('perhaps_twice').notNull().default(false),
    /** The latest attempt ended unknown, although its process lived. */
    unsure: boolean('unsure').notNull().default(false),
    /** The mail service of the latest attempt, its status, and its answer. */
    service: text('service', { enum: ['smtp', 'emailjs'] }),
    status: integer('status'),
    note: text('note'),
    createdAt: instant('created_at').notNull().defaultNow(),
    attemptedAt: instant('attempted_at'),
    sentAt: instant('sent_at'),
    /** When to try delivery next; null when finished. While `sending`: when the attempt counts as dead. */
    nextAttemptAt: instant('next_attempt_at'),
    answeredAt: instant('answered_at'),
    /** The operator's reply, where it was mailed from here. */
    answer: text('answer'),
  },
  (t) => [
    unique('contact_messages_once').on(t.fingerprint),
    index('contact_messages_due').on(t.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index('contact_messages_list').on(t.createdAt),
    index('contact_messages_box').on(inboxBox, t.createdAt, t.id),
    index('contact_messages_user').on(t.userId),
  ],
);

export type ContactRow = typeof contactMessages.$inferSelect;
