import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../../platform/database/columns.ts';
import { user } from '../accounts.table.ts';

/** Links with which so many people may open an account until a day. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    /** Whose it is; null for the operator's. */
    userId: text('user_id').references(() => user.id, { onDelete: 'cascade' }),
    /** 256 random bits. Not hashed: people copy their link again, and it opens nothing that exists. */
    token: text('token').notNull().unique(),
    /** The plan of who comes with it; null for that of every new account. */
    plan: text('plan', { enum: ['free', 'pro'] }),
    uses: integer('uses').notNull().default(0),
    maxUses: integer('max_uses').notNull(),
    endsAt: instant('ends_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('invitations_user').on(t.userId),
    check('invitations_uses', sql`${t.uses} >= 0 and ${t.uses} <= ${t.maxUses}`),
  ],
);
