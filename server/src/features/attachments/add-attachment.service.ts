import { readFile, writeFile } from 'node:fs/promises';
import { FILE_LIMITS, FILE_SENTENCES, isPictureName } from '@atelier/contract/files';
import { v7 as uuidv7 } from 'uuid';
import { owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Received } from '../../platform/http/upload.ts';
import { readPicture } from '../../platform/pictures/read-picture.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { takeSpace } from '../files/add-file.service.ts';
import { reducedName, shownName } from '../files/file-names.service.ts';
import { cleanUp, forgetUpload } from '../files/purge-file.service.ts';
import { isThis } from './attachments.service.ts';
import { type AttachmentRow, attachments } from './attachments.table.ts';
import { readText } from './read-text.service.ts';

type Uploaded = Pick<Received, 'name' | 'size' | 'head' | 'path'>;
type Known = Pick<AttachmentRow, 'name' | 'type' | 'kind' | 'width' | 'height' | 'text' | 'note' | 'size'>;

const NEVER = new AbortController().signal;

/**
 * Keeps an uploaded picture or file for a message of the session. It is looked into first, so whatever is kept can be sent. 402 beyond the
 * account's space, 413 for a picture that is too large, 415 for what can't be shown or read, 503 when storing fails or when the signal
 * aborts before the file was read.
 */
export async function addAttachment(
  ctx: Deps,
  session: { userId: string; id: string },
  received: Uploaded,
  { id = uuidv7(), signal = NEVER }: { id?: string; signal?: AbortSignal } = {},
): Promise<AttachmentRow> {
  if (received.size === 0) throw new AppError('invalid_input', FILE_SENTENCES.empty, { field: 'file' });
  const name = shownName(received.name);
  const known = isPictureName(name)
    ? await takePicture(name, received)
    : { ...(await readText({ log: ctx.log, uid: session.userId, signal }, name, received)), size: received.size };
  const row = {
    ...known,
    userId: session.userId,
    id,
    sessionId: session.id,
    key: `userFiles/${session.userId}/${Date.now()}_${id}_${reducedName(name)}`,
  };
  try {
    await reserve(ctx, row);
    await ctx.storage.put(row.key, received.path, row.size).catch((cause: unknown) => {
      throw new AppError('unavailable', 'The attachment could not be stored. Please try again.', { cause });
    });
    const [stored] = await ctx.db.update(attachments).set({ state: 'ready' }).where(isThis(row)).returning();
    return owned(session.userId, stored, 'This session');
  } catch (error) {
    // Also if the account was deleted during the upload: nothing refers to these bytes any more.
    await cleanUp(ctx, error, () => forgetUpload(ctx, row, (tx) => tx.delete(attachments).where(isThis(row))));
    throw error;
  }
}

/** The received file becomes the picture without its notes. */
async function takePicture(name: string, { path, size }: Uploaded): Promise<Known> {
  const field = 'file';
  const { pictureBytes, pixels, side } = FILE_LIMITS;
  if (size > pictureBytes) throw new AppError('too_large', FILE_SENTENCES.pictureTooLarge, { field });
  const picture = await readPicture(await readFile(path));
  if (picture === null) throw new AppError('unsupported_type', FILE_SENTENCES.noPicture, { field });
  const { type, width, height } = picture;
  if (width * height > pixels || Math.max(width, height) > side)
    throw new AppError('too_large', FILE_SENTENCES.tooManyPixels, { field });
  await writeFile(path, picture.bare);
  return { name, type, kind: 'picture', width, height, text: '', note: null, size: picture.bare.length };
}

/** Reserves the space before the bytes are stored, so parallel uploads can't overspend it. */
const reserve = (
  ctx: Deps,
  row: Known & Pick<AttachmentRow, 'userId' | 'id' | 'sessionId' | 'key'>,
): Promise<unknown> =>
  ctx.db.transaction(async (tx) => {
    await lockUsage(tx, row.userId);
    await takeSpace(tx, row.userId, row.size);
    await tx.insert(attachments).values({ ...row, state: 'uploading' });
  });
