import { ATTACHMENT_GONE, wordsFor } from '@atelier/contract/attachments/attachments';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { findAttachments } from './attachments.queries.ts';
import { type SentAttachment, toSent } from './attachments.service.ts';
import { type AttachmentRow, attachments } from './attachments.table.ts';

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
    if (row === undefined) throw new AppError('invalid_input', ATTACHMENT_GONE, { field: 'attachmentIds' });
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
