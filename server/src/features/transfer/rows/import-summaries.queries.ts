import type { Tx } from '../../../platform/database/database.ts';
import { summaries } from '../../runs/summary.table.ts';
import { summaryRow } from '../archive/archive-rows.ts';
import { type Importer, outcome, readableOfSession, sessionsHere } from './import-rows.queries.ts';

/** Summaries of sessions that have none. */
export const importSummaries: Importer = async (tx, to, rows) => {
  const found = readableOfSession(to, summaryRow, rows);
  const inSession = await sessionsHere(tx, to, found);
  const values = found.flatMap(({ agent: _agent, sessionId, ...row }) => {
    const session = inSession.get(sessionId);
    return session === undefined ? [] : [{ ...row, userId: to.uid, sessionId: session, readUntrusted: true }];
  });
  const stored = values.length === 0 ? [] : await insertSummaries(tx, values);
  return outcome(rows, stored.length, values.length - stored.length);
};

const insertSummaries = (tx: Tx, values: (typeof summaries.$inferInsert)[]) =>
  tx.insert(summaries).values(values).onConflictDoNothing().returning({ id: summaries.sessionId });
