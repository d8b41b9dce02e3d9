import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { owner } from './accounts.table.ts';

export const authSession = pgTable(
  'session',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: owner(),
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    impersonatedBy: text('impersonated_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('session_user').on(t.userId)],
);

export const authAccount = pgTable(
  'account',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: owner(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    // Of two people who link one account elsewhere at once, one gets it.
    uniqueIndex('account_provider').on(t.providerId, t.accountId),
    // Of two accounts at one provider that a person links at once, one is.
    uniqueIndex('account_user_provider').on(t.userId, t.providerId),
  ],
);

export const verification = pgTable(
  'verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('verification_identifier').on(t.identifier)],
);

/** The second factor, also while it is being set up (`verified` false). Secret and recovery codes are encrypted with AUTH_SECRET. */
export const twoFactor = pgTable(
  'two_factor',
  {
    id: text('id').primaryKey(),
    userId: owner(),
    secret: text('secret').notNull(),
    backupCodes: text('backup_codes').notNull(),
    verified: boolean('verified').notNull().default(true),
    failedVerificationCount: integer('failed_verification_count').notNull().default(0),
    lockedUntil: instant('locked_until'),
    /** Null for those from before it was noted. */
    createdAt: instant('created_at').defaultNow(),
  },
  (t) => [index('two_factor_user').on(t.userId)],
);

export const rateLimit = pgTable('rate_limit', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  count: integer('count').notNull(),
  lastRequest: bigint('last_request', { mode: 'number' }).notNull(),
});

/** Passkeys, as better-auth's plugin has them. The key is the public one: nobody can sign in with it. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    userId: owner(),
    name: text('name'),
    publicKey: text('public_key').notNull(),
    credentialID: text('credential_id').notNull().unique(),
    counter: integer('counter').notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    aaguid: text('aaguid'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('passkeys_user').on(t.userId)],
);

/**
 * Ways into an account that don't work until their owner keeps them. The whole row moves here from its own table, so that nothing which looks
 * for a key, a passkey or a link has to know of suspension.
 */
export const suspendedWays = pgTable(
  'suspended_ways',
  {
    userId: owner(),
    id: uuid('id').notNull(),
    kind: text('kind', { enum: ['passkey', 'provider', 'two_factor', 'api_key', 'tool_server', 'link'] }).notNull(),
    name: text('name').notNull(),
    /** When the way was added; null for a second factor from before that was noted. */
    addedAt: instant('added_at'),
    suspendedAt: instant('suspended_at').notNull().defaultNow(),
    /** The row, as `to_jsonb` gives it; of a tool server what it knows the person by. */
    row: jsonb('row').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] })],
);
