import type { Attachment } from '@atelier/contract/attachments/attachments';
import { and, isNull, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { type Authorized, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { purgeUpload } from '../files/uploads.service.ts';
import { findAttachment, ofUser } from './attachments.queries.ts';
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
