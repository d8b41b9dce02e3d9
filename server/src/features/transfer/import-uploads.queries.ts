import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import { readAttachments, toSent } from '../attachments/attachments.service.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { attachingRow } from './archive/archive-rows.ts';
import { type AgentPlace, findPresent } from './import-places.queries.ts';
import { type Destination, readable } from './rows/import-rows.queries.ts';

/** Lets exchanges that came name the attachments that are here; one that names some already stays as it is. */
export async function linkAttachments(
  tx: Tx,
  to: Destination,
  rows: unknown[],
  idHere: (uid: string, id: string) => string,
): Promise<void> {
  const found = readable(to, attachingRow, rows);
  if (found.length === 0) return;
  const inTask = await findPresent(tx, to.uid, tasks, found);
  const ids = found.flatMap((row) => row.attachments.flatMap(({ id }) => [id, idHere(to.uid, id)]));
  const here = await readAttachments(tx, to.uid, ids);
  for (const row of found) {
    const taskId = inTask.get(row.id);
    const named = row.attachments.flatMap(({ id }) => here.get(idHere(to.uid, id)) ?? here.get(id) ?? []);
    if (taskId === undefined || named.length === 0) continue;
    const isBare = and(eq(tasks.userId, to.uid), eq(tasks.id, taskId), eq(tasks.attachments, []));
    const linked = await tx
      .update(tasks)
      .set({ attachments: named.map(toSent) })
      .where(isBare)
      .returning({ id: tasks.id });
    if (linked.length === 0) continue;
    const sent = named.map(({ id }) => id);
    await tx
      .update(attachments)
      .set({ sentAt: sql`coalesce(${attachments.sentAt}, now())` })
      .where(and(eq(attachments.userId, to.uid), inArray(attachments.id, sent)));
  }
}

/** A file of the archive that the account has already. */
export async function findFileHere(db: Db, uid: string, source: { id: string; agent: AgentPlace }) {
  const here = (await findPresent(db, uid, agentFiles, [source])).get(source.id);
  if (here === undefined) return [];
  return db
    .select()
    .from(agentFiles)
    .where(and(eq(agentFiles.userId, uid), eq(agentFiles.id, here)));
}
