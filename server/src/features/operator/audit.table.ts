import type { AuditAct, AuditEntry } from '@atelier/contract/operator/audit';
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/**
 * What operators did, by the page and the command line. Rows are added, never changed: a trigger refuses it. They stay when accounts go, so
 * they name accounts by ids only.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    at: instant('at').notNull().defaultNow(),
    /** Null for a command on the server's machine. */
    actorId: text('actor_id'),
    act: text('act').$type<AuditAct>().notNull(),
    subjectId: text('subject_id'),
    /** What it concerns: an id, a reference, a name of the configuration. Never a word of a person. */
    about: text('about'),
    reason: text('reason').notNull().default(''),
    /** The value of a setting before and after. */
    change: jsonb('change').$type<AuditEntry['change']>(),
  },
  (t) => [index('audit_log_at').on(t.at, t.id), index('audit_log_subject').on(t.subjectId, t.at, t.id)],
);
