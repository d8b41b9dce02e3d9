import { ATTACHMENT_GONE, type Attachment, wordsFor } from '@atelier/contract/attachments/attachments';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { type Authorized, owned } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { purgeUpload } from '../files/uploads.service.ts';
import { findAttachment, findAttachments, ofUser } from './attachments.queries.ts';
import { type AttachmentRow, attachments } from './attachments.table.ts';

/** An attachment as its message names it. */
export type SentAttachment = Omit<Attachment, 'state' | 'url'>;

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

/** The attachment of the caller's session, or 404. */
export async function getAttachment(
  ctx: Deps,
  session: { userId: string; id: string },
  id: string,
): Promise<Authorized<AttachmentRow>> {
  const row = isUuid(id) ? await findAttachment(ctx.db, session.userId, session.id, id) : undefined;
  return owned(session.userId, row, 'This attachment');
}

/** Removes an attachment that no message has; 409 when one does. */
export async function deleteAttachment(ctx: Deps, row: Authorized<AttachmentRow>): Promise<void> {
  const [hidden] = await ctx.db
    .update(attachments)
    .set({ deletedAt: sql`now()` })
    .where(and(ofUser(row.userId, [row.id]), isNull(attachments.sentAt)))
    .returning();
  if (hidden === undefined) throw new AppError('conflict', 'This attachment belongs to a message, and goes with it.');
  // What fails here is removed by the sweep.
  await purgeUpload(ctx, hidden, 0).catch((error: unknown) => ctx.log.error('attachments.remove', error));
}

/**
 * Takes these attachments of a person for a message, inside the transaction that starts it, and returns them in this order; several messages
 * may take the same. 400 when one is not there.
 */
export async function takeAttachments(tx: Tx, userId: string, ids: readonly string[]): Promise<SentAttachment[]> {
  const rows = await tx
    .update(attachments)
    .set({ sentAt: sql`coalesce(${attachments.sentAt}, now())` })
    .where(and(ofUser(userId, ids), eq(attachments.state, 'ready'), isNull(attachments.deletedAt)))
    .returning();
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) throw new AppError('invalid_input', ATTACHMENT_GONE, { field: 'attachmentIds' });
    return toSent(row);
  });
}

/** The words of a message: those that were typed or, for attachments alone, a sentence that names them. */
export async function wordsOf(db: Db, userId: string, typed: string, ids: readonly string[]): Promise<string> {
  if (typed.trim() !== '') return typed;
  const known = await readAttachments(db, userId, ids);
  return wordsFor(ids.flatMap((id) => known.get(id)?.name ?? []));
}

/** A person's attachments by id, with the text of files, and how to load the bytes of pictures. Gone ones are missing. */
export async function readAttachments(db: Db, userId: string, ids: readonly string[]) {
  const rows = ids.length === 0 ? [] : await findAttachments(db, userId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
