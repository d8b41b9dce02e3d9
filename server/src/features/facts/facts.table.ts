import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';
import { memories } from '../memory/memory.table.ts';

/** Short statements of a person, distilled from their memories. Triggers remove them with the memory's words. */
export const facts = pgTable(
  'facts',
  {
    userId: text('user_id').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id').notNull(),
    /** The memory that states it. */
    memoryId: uuid('memory_id').notNull(),
    /** Which of that memory's sentences; null once the memory was edited, because its sentences are others. */
    sentence: smallint('sentence'),
    text: text('text').notNull(),
    /** Whom or what it is about, for people: “You”, a name. */
    about: text('about').notNull(),
    /** A hash of what was distilled: the same statement of an edited memory is not distilled again. */
    statement: text('statement').notNull(),
    pinned: boolean('pinned').notNull().default(false),
    /** When the person wrote their own text for it. */
    correctedAt: instant('corrected_at'),
    /** When the person refused it. The row stays, later without its words, so that its statement is not distilled again. */
    forgottenAt: instant('forgotten_at'),
    /** The later fact that made it untrue. Without that one, it is true again. */
    replacedBy: uuid('replaced_by'),
    /** The earlier fact that says the same. Without that one, it stands for itself. */
    sameAs: uuid('same_as'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    foreignKey({ columns: [t.userId, t.agentId], foreignColumns: [agents.userId, agents.id] }).onDelete('cascade'),
    foreignKey({ columns: [t.userId, t.memoryId], foreignColumns: [memories.userId, memories.id] }).onDelete('cascade'),
    index('facts_agent').on(t.userId, t.agentId, t.createdAt, t.id),
    index('facts_memory').on(t.userId, t.memoryId),
    index('facts_replaced').on(t.userId, t.replacedBy).where(sql`${t.replacedBy} is not null`),
    index('facts_same').on(t.userId, t.sameAs).where(sql`${t.sameAs} is not null`),
  ],
);

export type FactRow = typeof facts.$inferSelect;

/** Accounts that want no facts kept. */
export const factSettings = pgTable('fact_settings', {
  userId: text('user_id')
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  distil: boolean('distil').notNull(),
});
