import type { Readable } from 'node:stream';
import type { Attachment } from '@atelier/contract/attachments/attachments';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { type Authorized, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { openStored } from '../../platform/storage/storage.ts';
import { attachmentStatement } from './attachments.queries.ts';
import { type AttachmentRow, attachments } from './attachments.table.ts';
import { removeAttachment } from './remove-attachments.service.ts';

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

export const isThis = ({ userId, id }: { userId: string; id: string }) =>
  and(eq(attachments.userId, userId), eq(attachments.id, id));

/** The attachment of the caller's session, or 404. */
export async function getAttachment(
  ctx: Deps,
  userId: string,
  { sessionId, attachmentId: id }: { sessionId: string; attachmentId: string },
): Promise<Authorized<AttachmentRow>> {
  const isOne = isUuid(sessionId) && isUuid(id);
  const [row] = isOne ? await attachmentStatement(ctx.db).execute({ userId, sessionId, id }) : [];
  return owned(userId, row, 'This attachment');
}

/** The bytes of an attachment. */
export const openAttachment = (ctx: Deps, { key }: Pick<AttachmentRow, 'key'>): Promise<Readable> =>
  openStored(ctx.storage, key, 'The attachment');

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
