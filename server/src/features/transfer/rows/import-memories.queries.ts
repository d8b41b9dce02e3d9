import { PINNED_MAX } from '@atelier/contract/memory';
import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../../platform/database/database.ts';
import { memories } from '../../memory/memory.table.ts';
import { raiseMemoryVersion } from '../../memory/passages.service.ts';
import { tasks } from '../../runs/runs.table.ts';
import { memoryRow } from '../archive/archive-rows.ts';
import { findPresent, idHere, importedId } from '../import-places.queries.ts';
import { createPinRoom, type Importer, outcome, readable, sessionsHere } from './import-rows.queries.ts';

/** Memories of sessions that are here; as many stay pinned as an agent may have. */
export const importMemories: Importer = async (tx, to, rows) => {
  const found = readable(to, memoryRow, rows);
  const present = await findPresent(tx, to.uid, memories, found);
  const inSession = await sessionsHere(tx, to, found);
  const taskSources = found.flatMap(({ taskId, agent }) => (taskId === null ? [] : [{ id: taskId, agent }]));
  const inTask = await findPresent(tx, to.uid, tasks, taskSources);
  const room = createPinRoom(async (agentId) => {
    const pinned = and(eq(memories.userId, to.uid), eq(memories.agentId, agentId), memories.pinned);
    return PINNED_MAX - (await tx.$count(memories, pinned));
  });
  const values: (typeof memories.$inferInsert)[] = [];
  for (const { agent, id, sessionId, taskId, originId, ...row } of found) {
    const session = inSession.get(sessionId);
    if (session === undefined || present.has(id)) continue;
    values.push({
      ...row,
      userId: to.uid,
      id: importedId(agent, id),
      agentId: agent.id,
      sessionId: session,
      version: 0,
      taskId: inTask.get(taskId ?? '') ?? null,
      originId: originId && idHere(agent, originId),
      pinned: row.pinned && (await room(agent.id)),
    });
  }
  await insertMemories(tx, to.uid, values);
  return outcome(rows, values.length, present.size);
};

/** Stores memories under the next version of each agent, so that every process notices. */
async function insertMemories(tx: Tx, userId: string, values: (typeof memories.$inferInsert)[]) {
  for (const agentId of new Set(values.map((row) => row.agentId))) {
    const version = await raiseMemoryVersion(tx, { userId, agentId });
    const own = values.filter((row) => row.agentId === agentId);
    await tx.insert(memories).values(own.map((row) => ({ ...row, version })));
  }
}
