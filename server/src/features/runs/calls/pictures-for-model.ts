import type { McpMedia } from '../../../platform/mcp/mcp-connection.ts';
import type { ModelPicture } from '../../../platform/models/models.ts';
import { measurePicture, pictureTokens } from '../../../platform/pictures/measure-picture.ts';
import type { ToolRoom } from '../engine/budget.ts';

/** How many pictures of one answer the model gets, and how large each may be: providers refuse more. */
const PICTURES_MAX = 5;
const BYTES_MAX = 5 * 1024 * 1024;

/** Those of a tool's pictures that models take and that there is room for; their room is taken. The person sees all of them. */
export async function picturesFor(room: ToolRoom, media: readonly McpMedia[]): Promise<ModelPicture[]> {
  const pictures: ModelPicture[] = [];
  for (const { bytes } of media) {
    const measured = bytes.length > BYTES_MAX ? null : await measurePicture(bytes);
    if (measured === null || pictures.length === PICTURES_MAX || !room.takes(pictureTokens(measured))) continue;
    pictures.push({ type: measured.type, bytes });
  }
  return pictures;
}
