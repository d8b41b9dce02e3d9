import type { PastConversation, PastFact } from '@atelier/contract/transfer/past';
import { foreignKey, integer, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { owner } from '../../accounts/accounts.table.ts';
import { accountImports } from '../imports.table.ts';

/** A conversation of an export, with its session and what comes along, as the archive that it became has them. */
export type ListedConversation = PastConversation & { sessionId: string; exchanges: number; memories: number };
/** A fact that was found, by its id in that archive. */
export type ListedFact = PastFact & { id: string };

/**
 * What an export of another program holds, and what of it the person chose. It goes with its import. The export becomes an archive of this
 * product within the upload, and is imported like one.
 */
export const pastImports = pgTable(
  'past_imports',
  {
    userId: owner(),
    importId: uuid('import_id').notNull(),
    conversations: jsonb('conversations').$type<ListedConversation[]>().notNull(),
    facts: jsonb('facts').$type<ListedFact[]>().notNull(),
    /** Places in those lists; null until the person has chosen: then it is every conversation and no fact. */
    chosenConversations: integer('chosen_conversations').array(),
    chosenFacts: integer('chosen_facts').array().notNull().default([]),
    /** The agent that gets the sessions; null for one that the import makes. */
    agentId: uuid('agent_id'),
    /** The agent that the import made, which goes when it is undone. */
    madeAgentId: uuid('made_agent_id'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.importId] }),
    foreignKey({
      columns: [t.userId, t.importId],
      foreignColumns: [accountImports.userId, accountImports.id],
    }).onDelete('cascade'),
  ],
);

export type PastImportRow = typeof pastImports.$inferSelect;
