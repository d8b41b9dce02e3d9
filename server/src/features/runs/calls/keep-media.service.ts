import type { ToolMedia } from '@atelier/contract/tools';
import { v7 as uuidv7 } from 'uuid';
import type { Deps } from '../../../platform/deps.ts';
import type { McpMedia } from '../../../platform/mcp/mcp-connection.ts';
import { readPicture } from '../../../platform/pictures/read-picture.ts';
import { untilAnswered } from '../engine/lease.service.ts';
import type { Run } from '../engine/run.ts';
import { toolMedia } from '../runs.table.ts';

/** Others see it too: a picture leaves its place behind. */
const bareOf = async (bytes: Uint8Array) => (await readPicture(bytes))?.bare ?? Buffer.from(bytes);

/** Stores what a tool answered as files, and returns how the task names them. */
export async function keepMedia(ctx: Deps, run: Run, media: readonly McpMedia[]): Promise<ToolMedia[]> {
  const kept: ToolMedia[] = [];
  // One at a time: each may be large, and the embedded database stands still while it is written.
  for (const { type, bytes, name } of media) {
    const id = uuidv7();
    const row = { userId: run.uid, taskId: run.taskId, id, type, name: name ?? null, bytes: await bareOf(bytes) };
    await untilAnswered(ctx, run, () => ctx.db.insert(toolMedia).values(row).onConflictDoNothing());
    kept.push({ id, type, ...(name === undefined ? {} : { name }) });
  }
  return kept;
}
