import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { owner, user } from './accounts.table.ts';
import type { AccountMail } from './mail/account-mail.ts';

/** Links that were mailed or issued, and sign-ins that just proved who they are. Only the hash is stored; use deletes the row. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    hash: text('hash').primaryKey(),
    userId: owner(),
    purpose: text('purpose', { enum: ['reset', 'operator_reset', 'verify', 'change_email', 'owner'] }).notNull(),
    /** The address that the link proves; the account's own with a proof. */
    email: text('email').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('account_tokens_user').on(t.userId)],
);

/** Mails to people that have not been sent yet; a sent one is deleted. Anybody may ask to reset any address, so there may be no user. */
export const accountMails = pgTable(
  'account_mails',
  {
    id: uuid('id').primaryKey(),
    userId: text('user_id').references(() => user.id, { onDelete: 'cascade' }),
    recipient: text('recipient').notNull(),
    content: jsonb('content').$type<AccountMail>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('account_mails_user').on(t.userId)],
);
