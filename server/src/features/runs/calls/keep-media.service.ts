import type { ToolMedia } from '@atelier/contract/tools';
import { v7 as uuidv7 } from 'uuid';
import type { Deps } from '../../../platform/deps.ts';
import type { McpMedia } from '../../../platform/mcp/mcp-connection.ts';
import type { ModelInfo, ModelMedia } from '../../../platform/models/models.ts';
import { pictureTokens, readPicture } from '../../../platform/pictures/read-picture.ts';
import { measureSound, soundTokens } from '../../../platform/sounds/measure-sound.ts';
import type { ToolRoom } from '../engine/budget.ts';
import { untilAnswered } from '../engine/lease.service.ts';
import type { Run } from '../engine/run.ts';
import { toolMedia } from '../runs.table.ts';

/** Others see it too: a picture leaves its place behind. */
const bareOf = async (bytes: Uint8Array) => (await readPicture(bytes))?.bare ?? Buffer.from(bytes);

/** Stores what a tool answered as files, and returns how the task names them. */
export async function keepMedia(ctx: Deps, run: Run, media: readonly McpMedia[]): Promise<ToolMedia[]> {
  const stored: ToolMedia[] = [];
  // One at a time: each may be large, and the embedded database stands still while it is written.
  for (const { type, bytes, name } of media) {
    const id = uuidv7();
    const row = { userId: run.uid, taskId: run.taskId, id, type, name: name ?? null, bytes: await bareOf(bytes) };
    await untilAnswered(ctx, run, () => ctx.db.insert(toolMedia).values(row).onConflictDoNothing());
    stored.push({ id, type, ...(name === undefined ? {} : { name }) });
  }
  return stored;
}

/** How many pictures and sounds of one answer the model gets, and how large each may be: providers refuse more. */
const MEDIA_MAX = 5;
const BYTES_MAX = 5 * 1024 * 1024;

type Senses = Pick<ModelInfo, 'sight' | 'hearing'>;

/** What a tool answered that the model can see or hear and that there is room for; its room is taken. The person gets all of it. */
export async function mediaFor(model: Senses, room: ToolRoom, answered: readonly McpMedia[]): Promise<ModelMedia[]> {
  const media: ModelMedia[] = [];
  for (const { bytes } of answered) {
    const measured = bytes.length > BYTES_MAX ? null : await measure(model, bytes);
    if (measured === null || media.length === MEDIA_MAX || !room.reserve(measured.tokens)) continue;
    media.push({ type: measured.type, bytes: measured.bytes });
  }
  return media;
}

/** A picture or a sound that the model takes, and its tokens; null for anything else. */
async function measure({ sight, hearing }: Senses, bytes: Uint8Array) {
  const picture = sight ? await readPicture(bytes) : null;
  if (picture !== null) return { type: picture.type, bytes: picture.bare, tokens: pictureTokens(picture) };
  const sound = hearing ? measureSound(bytes) : null;
  return sound === null ? null : { type: sound.type, bytes, tokens: soundTokens(sound) };
}
