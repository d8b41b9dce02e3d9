import { eq } from 'drizzle-orm';
import { tasks, toolMedia } from '../../features/runs/runs.table.ts';
import type { Db } from '../../platform/database/database.ts';

/** Stores a file as if a tool had answered it in an exchange of the user's. */
export async function addToolFile(
  db: Db,
  { text, ...file }: { userId: string; id: string; type: string; text: string },
): Promise<void> {
  const [task] = await db.select().from(tasks).where(eq(tasks.userId, file.userId));
  if (task === undefined) throw new Error('nothing was asked');
  await db.insert(toolMedia).values({ ...file, taskId: task.id, bytes: Buffer.from(text) });
}
