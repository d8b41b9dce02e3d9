import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { inSession } from '../sessions/sessions.table.ts';

/** Which session a program means: the name that it gave one, or its key when it gave none. */
export const namedSessions = pgTable(
  'named_sessions',
  {
    userId: text('user_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    /** `id:` and the program's own name for it, or `key:` and the id of the API key. */
    name: text('name').notNull(),
    sessionId: uuid('session_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.agentId, t.name] }),
    inSession(t),
    index('named_sessions_session').on(t.userId, t.sessionId),
  ],
);
