import { and, eq } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { getTask } from './runs.service.ts';
import { toolMedia } from './runs.table.ts';

/** One file that a tool of the caller's task answered; 404 for anybody else. */
export async function getMedia(
  ctx: Deps,
  caller: Caller,
  { sessionId, taskId, mediaId }: { sessionId: string; taskId: string; mediaId: string },
) {
  const task = await getTask(ctx, caller, sessionId, taskId);
  const same = and(eq(toolMedia.userId, caller.uid), eq(toolMedia.taskId, task.id), eq(toolMedia.id, mediaId));
  const [row] = isUuid(mediaId) ? await ctx.db.select().from(toolMedia).where(same) : [];
  if (row === undefined) throw notFound('This file');
  return row;
}
