import type { KeyScope } from '@atelier/contract/keys';
import { pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { owner } from '../accounts/accounts.table.ts';

/** Keys with which programs act for a person. */
export const apiKeys = pgTable(
  'api_keys',
  {
    userId: owner(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    /** SHA-256 of the secret: it has 256 random bits, so nobody finds it by trying. */
    hash: text('hash').notNull(),
    hint: text('hint').notNull(),
    scopes: text('scopes').array().$type<KeyScope[]>().notNull(),
    /** Hidden keys of agents; null for all. Not a foreign key: when the last one is deleted, the key must not reach all. */
    agentIds: uuid('agent_ids').array(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] }), uniqueIndex('api_keys_hash').on(t.hash)],
);

export type ApiKeyRow = typeof apiKeys.$inferSelect;
