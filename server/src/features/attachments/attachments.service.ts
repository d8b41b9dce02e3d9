import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ATTACHMENT_LIMITS, ATTACHMENT_SENTENCES, isPictureName } from '@atelier/contract/attachments/attachable';
import { type Attachment, wordsFor } from '@atelier/contract/attachments/attachments';
import { FILE_SENTENCES } from '@atelier/contract/files';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, owned } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Received } from '../../platform/http/upload.ts';
import { measurePicture } from '../../platform/pictures/measure-picture.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { takeSpace } from '../files/add-file.service.ts';
import { reducedName, shownName } from '../files/file-names.service.ts';
import { findAttachment, findAttachments } from './attachments.queries.ts';
import { type AttachmentRow, attachments } from './attachments.table.ts';
import { readText } from './read-text.service.ts';
import { removeAttachment } from './remove-attachments.service.ts';

/** An attachment as its message names it. */
export type SentAttachment = Omit<Attachment, 'state' | 'url'>;

type Uploaded = Pick<Received, 'name' | 'size' | 'head' | 'path'>;
type Known = Pick<AttachmentRow, 'name' | 'type' | 'kind' | 'width' | 'height' | 'text' | 'note'>;

/** An attachment for the API, as part of a session. */
export const toAttachment = (sent: SentAttachment, sessionId: string): Attachment => ({
  ...sent,
  state: 'ready',
  url: `/api/sessions/${sessionId}/attachments/${sent.id}`,
});

export const toSent = ({ id, name, type, size, kind, width, height, note }: AttachmentRow): SentAttachment => ({
  id,
  name,
  type,
  size,
  kind,
  ...(width === null ? {} : { width }),
  ...(height === null ? {} : { height }),
  ...(note === null ? {} : { note }),
});

/**
 * Keeps an uploaded picture or file for a message of the session. It is looked into first, so whatever is kept can be sent. 402 beyond the
 * account's space, 413 for a picture that is too large, 415 for what can't be shown or read, 503 when storing fails.
 */
export async function addAttachment(
  ctx: Deps,
  session: { userId: string; id: string },
  received: Uploaded,
  id: string = uuidv7(),
): Promise<AttachmentRow> {
  if (received.size === 0) throw new AppError('invalid_input', FILE_SENTENCES.empty, { field: 'file' });
  const name = shownName(received.name);
  const known = isPictureName(name) ? await lookAt(name, received) : await readText(name, received);
  const row = await reserve(ctx, { ...session, attachmentId: id }, known, received.size);
  try {
    await ctx.storage.put(row.key, received.path, received.size);
  } catch (cause) {
    await removeAttachment(ctx, row).catch((error: unknown) => ctx.log.error('attachments.remove', error));
    throw new AppError('unavailable', 'The attachment could not be stored. Please try again.', { cause });
  }
  const [stored] = await ctx.db.update(attachments).set({ state: 'ready' }).where(isThis(row)).returning();
  // The account was deleted during the upload: nothing refers to these bytes any more.
  if (stored === undefined) await ctx.storage.delete(row.key);
  return owned(session.userId, stored, 'This session');
}

async function lookAt(name: string, { path, size }: Uploaded): Promise<Known> {
  const field = 'file';
  const { pictureBytes, pixels, side } = ATTACHMENT_LIMITS;
  if (size > pictureBytes) throw new AppError('too_large', ATTACHMENT_SENTENCES.pictureTooLarge, { field });
  const measured = await measurePicture(await readFile(path));
  if (measured === null) throw new AppError('unsupported_type', ATTACHMENT_SENTENCES.noPicture, { field });
  const { type, width, height } = measured;
  if (width * height > pixels || Math.max(width, height) > side)
    throw new AppError('too_large', ATTACHMENT_SENTENCES.tooManyPixels, { field });
  return { name, type, kind: 'picture', width, height, text: '', note: null };
}

/** Reserves the space before the bytes are stored, so parallel uploads can't overspend it. */
async function reserve(
  ctx: Deps,
  { userId, id: sessionId, attachmentId: id }: { userId: string; id: string; attachmentId: string },
  known: Known,
  size: number,
) {
  const key = `userFiles/${userId}/${Date.now()}_${id}_${reducedName(known.name)}`;
  return ctx.db.transaction(async (tx) => {
    await lockUsage(tx, userId);
    await takeSpace(tx, userId, size);
    const values = { ...known, userId, id, sessionId, key, size, state: 'uploading' as const };
    const [row] = await tx.insert(attachments).values(values).returning();
    return owned(userId, row, 'This session');
  });
}

const isThis = ({ userId, id }: { userId: string; id: string }) =>
  and(eq(attachments.userId, userId), eq(attachments.id, id));

/** The attachment of the caller's session, or 404. */
export async function getAttachment(
  ctx: Deps,
  session: { userId: string; id: string },
  id: string,
): Promise<Authorized<AttachmentRow>> {
  const row = isUuid(id) ? await findAttachment(ctx.db, session.userId, session.id, id) : undefined;
  return owned(session.userId, row, 'This attachment');
}

/** The bytes of an attachment. */
export const openAttachment = (ctx: Deps, { key }: Pick<AttachmentRow, 'key'>): Promise<Readable> =>
  ctx.storage.get(key).catch((cause: unknown) => {
    throw new AppError('unavailable', 'The attachment could not be opened. Please try again.', { cause });
  });

/** Removes an attachment that no message has; 409 when one does. */
export async function deleteAttachment(ctx: Deps, row: Authorized<AttachmentRow>): Promise<void> {
  const [hidden] = await ctx.db
    .update(attachments)
    .set({ deletedAt: sql`now()` })
    .where(and(isThis(row), isNull(attachments.sentAt)))
    .returning();
  if (hidden === undefined) throw new AppError('conflict', 'This attachment belongs to a message, and goes with it.');
  // What fails here is removed by the sweep.
  await removeAttachment(ctx, hidden).catch((error: unknown) => ctx.log.error('attachments.remove', error));
}

/**
 * Takes these attachments of a person for a message, inside the transaction that starts it, and returns them in this order; several messages
 * may take the same. 400 when one is not there.
 */
export async function takeAttachments(tx: Tx, userId: string, ids: readonly string[]): Promise<SentAttachment[]> {
  const rows = await tx
    .update(attachments)
    .set({ sentAt: sql`coalesce(${attachments.sentAt}, now())` })
    .where(
      and(
        eq(attachments.userId, userId),
        inArray(attachments.id, [...ids]),
        eq(attachments.state, 'ready'),
        isNull(attachments.deletedAt),
      ),
    )
    .returning();
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined)
      throw new AppError('invalid_input', ATTACHMENT_SENTENCES.missing, { field: 'attachmentIds' });
    return toSent(row);
  });
}

/** The words of a message: those that were typed or, for attachments alone, a sentence that names them. */
export async function wordsOf(db: Db, userId: string, typed: string, ids: readonly string[]): Promise<string> {
  if (typed.trim() !== '') return typed;
  const rows = await findAttachments(db, userId, ids);
  return wordsFor(ids.flatMap((id) => rows.find((row) => row.id === id)?.name ?? []));
}

/** What models get of a person's attachments, by id: the text of files, and how to load the bytes of pictures. Gone ones are missing. */
export async function readAttachments(ctx: Deps, userId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, AttachmentRow>();
  const rows = await findAttachments(ctx.db, userId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
