import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../../platform/database/columns.ts';
import { owner } from '../accounts.table.ts';

/** What concerned the safety of an account in the last 90 days; the same within an hour is one row. Nothing in it is a person's word. */
export const accountActivity = pgTable(
  'account_activity',
  {
    userId: owner(),
    id: uuid('id').notNull(),
    event: text('event').$type<ActivityEvent>().notNull(),
    /** The last time and the first. */
    at: instant('at').notNull().defaultNow(),
    since: instant('since').notNull().defaultNow(),
    count: integer('count').notNull().default(1),
    /** The first part of the address: a /24, or a /48 of IPv6. */
    network: text('network'),
    device: text('device'),
    /** The session of the sign-in that did it. */
    signInId: text('sign_in_id'),
    about: text('about'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    index('account_activity_event').on(t.userId, t.event, t.at),
    index('account_activity_at').on(t.at),
  ],
);
