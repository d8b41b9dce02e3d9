import type { MemoryItem } from '@atelier/contract/memory';
import { isInFlight } from '@atelier/contract/runs';
import type { Tx } from '../../../platform/database/database.ts';
import { tasks } from '../../runs/runs.table.ts';
import { exchangeRow } from '../archive/archive-rows.ts';
import { type AgentPlace, findPresent, idHere, importedId } from '../import-places.queries.ts';
import { type Importer, outcome, readable, sessionsHere } from './import-rows.queries.ts';

/** A receipt with the ids that its memories have here. */
const receipt = (agent: AgentPlace, items: MemoryItem[]): MemoryItem[] =>
  items.map((item) => ({
    ...item,
    id: idHere(agent, item.id),
    ...(item.sessionId === undefined ? {} : { sessionId: idHere(agent, item.sessionId) }),
    ...(item.taskId === undefined ? {} : { taskId: idHere(agent, item.taskId) }),
    ...(item.fileId === undefined ? {} : { fileId: idHere(agent, item.fileId) }),
  }));

/** Exchanges of sessions that are here; one that was under way there is interrupted here. */
export const importExchanges: Importer = async (tx, to, rows) => {
  const found = readable(to, exchangeRow, rows);
  const present = await findPresent(tx, to.uid, tasks, found);
  const inSession = await sessionsHere(tx, to, found);
  const values = found.flatMap(({ agent, agentId: _there, id, sessionId, retryOf, ...row }) => {
    const session = inSession.get(sessionId);
    if (session === undefined || present.has(id)) return [];
    return {
      ...row,
      userId: to.uid,
      id: importedId(agent, id),
      agentId: agent.id,
      sessionId: session,
      status: isInFlight(row.status) ? ('interrupted' as const) : row.status,
      finishedAt: row.finishedAt ?? row.createdAt,
      memoryUsed: receipt(agent, row.memoryUsed),
      retryOf: retryOf && importedId(agent, retryOf),
      without: row.without.map((memory) => idHere(agent, memory)),
      // Nobody here knows whose words are in it.
      readUntrusted: true,
    };
  });
  const stored = values.length === 0 ? [] : await insertTasks(tx, values);
  return outcome(rows, stored.length, present.size);
};

// A second retry of one exchange is refused by its index, and left out.
const insertTasks = (tx: Tx, values: (typeof tasks.$inferInsert)[]) =>
  tx.insert(tasks).values(values).onConflictDoNothing().returning({ id: tasks.id });
