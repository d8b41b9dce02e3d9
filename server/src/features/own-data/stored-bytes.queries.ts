import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { toolMedia } from '../runs/runs.table.ts';

const stored = (table: typeof agentFiles | typeof attachments) => (db: Db, uid: string) =>
  db
    .select({ id: table.id, name: table.name, key: table.key, size: table.size })
    .from(table)
    .where(eq(table.userId, uid))
    .orderBy(asc(table.id));

/** A person's stored files, including those whose deletion can still be undone. */
export const storedFiles = stored(agentFiles);

/** Pictures and files of messages, whose bytes are stored. */
export const storedAttachments = stored(attachments);

/** What tools answered as pictures, sounds and files, without the bytes. */
export const storedToolFiles = (db: Db, uid: string) =>
  db
    .select({ id: toolMedia.id, taskId: toolMedia.taskId, type: toolMedia.type })
    .from(toolMedia)
    .where(eq(toolMedia.userId, uid))
    .orderBy(asc(toolMedia.id));

/** The bytes of one of these; none when it was deleted meanwhile. */
export async function toolFileBytes(db: Db, uid: string, { taskId, id }: { taskId: string; id: string }) {
  const same = and(eq(toolMedia.userId, uid), eq(toolMedia.taskId, taskId), eq(toolMedia.id, id));
  const [row] = await db.select({ bytes: toolMedia.bytes }).from(toolMedia).where(same);
  return new Uint8Array(row?.bytes ?? []);
}
