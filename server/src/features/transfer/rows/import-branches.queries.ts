import { and, eq, sql } from 'drizzle-orm';
import { taskPlaces } from '../../runs/places.table.ts';
import { tasks } from '../../runs/runs.table.ts';
import { branchRow } from '../archive/archive-rows.ts';
import { findPresent, importedId } from '../import-places.queries.ts';
import { type Importer, readableOfSession } from './import-rows.queries.ts';

/**
 * Gives imported exchanges their places in the tree; until then each session is a single path. An exchange can only follow an older one, so
 * no archive makes a circle.
 */
export const linkBranches: Importer = async (tx, to, rows) => {
  const found = readableOfSession(to, branchRow, rows);
  const sources = found.flatMap(({ taskId, parentId, originId, agent }) =>
    [taskId, parentId, originId].flatMap((id) => (id === null ? [] : [{ id, agent }])),
  );
  const here = await findPresent(tx, to.uid, tasks, sources);
  for (const { taskId, sessionId, parentId, originId, agent, onPath, chosenAt } of found) {
    const imported = importedId(agent, taskId);
    // Exchanges that were not imported keep their place.
    if (here.get(taskId) !== imported) continue;
    const parent = parentId === sessionId ? sql`${taskPlaces.sessionId}` : sql`${here.get(parentId) ?? null}::uuid`;
    const older = sql`(select p.task_id from task_places p where p.user_id = ${to.uid} and p.task_id = ${parent}
      and p.session_id is not distinct from ${taskPlaces.sessionId} and p.created_at < ${taskPlaces.createdAt})`;
    const isFirst = parentId === sessionId;
    await tx
      .update(taskPlaces)
      .set({
        parentId: isFirst ? parent : sql`coalesce(${older}, ${taskPlaces.parentId})`,
        originId: here.get(originId ?? '') ?? null,
        onPath,
        chosenAt,
      })
      .where(and(eq(taskPlaces.userId, to.uid), eq(taskPlaces.taskId, imported)));
  }
  return { imported: 0, present: 0, left: 0 };
};
