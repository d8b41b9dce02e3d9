import { readFile, writeFile } from 'node:fs/promises';
import { FILE_LIMITS, FILE_SENTENCES, isPictureName } from '@atelier/contract/files';
import { v7 as uuidv7 } from 'uuid';
import type { Authorized } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { readPicture } from '../../platform/pictures/read-picture.ts';
import { shownName } from '../files/file-names.service.ts';
import { storeUpload, type Uploaded } from '../files/uploads.service.ts';
import { ofUser } from './attachments.queries.ts';
import { type AttachmentRow, attachments } from './attachments.table.ts';
import { readText } from './read-text.service.ts';

const NEVER = new AbortController().signal;

/**
 * Keeps an uploaded picture or file for a message of the session, as `storeUpload` does. It is looked into first, so whatever is kept can be
 * sent: 400 for an empty one, 413 for a picture that is too large, 415 for what can't be shown or read, 503 when the signal aborts before.
 */
export async function addAttachment(
  ctx: Deps,
  { userId, id: sessionId }: { userId: string; id: string },
  received: Uploaded,
  { id = uuidv7(), signal = NEVER }: { id?: string; signal?: AbortSignal } = {},
): Promise<Authorized<AttachmentRow>> {
  const name = shownName(received.name);
  const known =
    isPictureName(name) && received.size > 0
      ? await takePicture(received)
      : await readText({ log: ctx.log, uid: userId, signal }, name, received);
  return storeUpload(ctx, { userId, id, sessionId, name, size: received.size, ...known }, received.path, async (tx) => {
    const [row] = await tx
      .update(attachments)
      .set({ state: 'ready' })
      .where(ofUser(userId, [id]))
      .returning();
    return row;
  });
}

/** The received file becomes the picture without its notes. */
async function takePicture({ path, size }: Uploaded) {
  const field = 'file';
  const { pictureBytes, pixels, side } = FILE_LIMITS;
  if (size > pictureBytes) throw new AppError('too_large', FILE_SENTENCES.pictureTooLarge, { field });
  const picture = await readPicture(await readFile(path));
  if (picture === null) throw new AppError('unsupported_type', FILE_SENTENCES.noPicture, { field });
  const { type, width, height } = picture;
  if (width * height > pixels || Math.max(width, height) > side)
    throw new AppError('too_large', FILE_SENTENCES.tooManyPixels, { field });
  await writeFile(path, picture.bare);
  return { type, kind: 'picture' as const, width, height, size: picture.bare.length };
}
