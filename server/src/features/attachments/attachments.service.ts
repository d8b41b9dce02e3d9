import { ATTACHMENT_GONE, type Attachment, wordsFor } from '@atelier/contract/attachments/attachments';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { type Authorized, owned } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { inPortions } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { hideUploads, purgeDeleted, purgeUpload } from '../files/uploads.service.ts';
import {
  attachmentStatement,
  findAttachedTexts,
  findAttachments,
  ofUser,
  unnamed,
  unsent,
  uploadedFor,
} from './attachments.queries.ts';
import { type AttachmentRow, attachmentColumns, attachments } from './attachments.table.ts';

/** The queue that removes attachments which no message names any more. */
const SWEEP_QUEUE = 'attachments.sweep';
/** What is uploaded and not sent stays this long. */
const UNSENT_HOURS = 24;

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
  userId: string,
  { sessionId, attachmentId: id }: { sessionId: string; attachmentId: string },
): Promise<Authorized<AttachmentRow>> {
  const isOne = isUuid(sessionId) && isUuid(id);
  const [row] = isOne ? await attachmentStatement(ctx.db).execute({ userId, sessionId, id }) : [];
  return owned(userId, row, 'This attachment');
}

/** Removes an attachment that no message has; 409 when one does. */
export async function deleteAttachment(ctx: Deps, row: Authorized<AttachmentRow>): Promise<void> {
  const [hidden] = await ctx.db
    .update(attachments)
    .set({ deletedAt: sql`now()` })
    .where(and(ofUser(row.userId, [row.id]), isNull(attachments.sentAt)))
    .returning(attachmentColumns);
  if (hidden === undefined) throw new AppError('conflict', 'This attachment belongs to a message, and goes with it.');
  // What fails here is removed by the sweep.
  await purgeUpload(ctx, hidden).catch((error: unknown) => ctx.log.error('attachments.remove', error));
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
    .returning(attachmentColumns);
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) throw new AppError('invalid_input', ATTACHMENT_GONE, { field: 'attachmentIds' });
    return toSent(row);
  });
}

/** The words of a message: those that were typed or, for attachments alone, a sentence that names them. */
export async function inputTextOf(db: Db, userId: string, typed: string, ids: readonly string[]): Promise<string> {
  if (typed.trim() !== '') return typed;
  const texts = await readAttachments(db, userId, ids);
  return wordsFor(ids.flatMap((id) => texts.get(id)?.name ?? []));
}

const byId = <Row extends { id: string }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]));

/** A person's attachments by id, and how to load their bytes. Gone ones are missing. */
export const readAttachments = async (db: Db, userId: string, ids: readonly string[]) =>
  byId(ids.length === 0 ? [] : await findAttachments(db, userId, ids));

/** The same with the text of files. */
export const readAttachedTexts = async (db: Db, userId: string, ids: readonly string[]) =>
  byId(ids.length === 0 ? [] : await findAttachedTexts(db, userId, ids));

/** Registers this feature's durable jobs; call once, before the jobs start. */
export const registerAttachmentJobs = (deps: Deps): void =>
  deps.jobs.handle(SWEEP_QUEUE, () => sweepAttachments(deps), { cron: '* * * * *' });

/** Hides those of a person's attachments that no message names any more, inside the transaction that removed messages. */
export async function dropUnnamed(ctx: Deps, tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await drop(ctx, tx, ofUser(userId, ids), ids.length);
}

/** Hides what was uploaded for a session and no message names any more, in portions, after its messages were removed. */
export const dropUploads = (ctx: Deps, { userId, sessionId }: { userId: string; sessionId: string }): Promise<void> =>
  inPortions(ctx.db, (tx, size) => drop(ctx, tx, uploadedFor(userId, sessionId), size));

async function drop(ctx: Deps, tx: Tx, which: SQL | undefined, size: number): Promise<number> {
  const { length: count } = await hideUploads(tx, attachments, unnamed(which), size);
  if (count > 0) await ctx.jobs.send(tx, SWEEP_QUEUE, {}, { singletonKey: 'hidden' });
  return count;
}

/** Removes what is hidden, and hides what was never sent. */
export async function sweepAttachments(ctx: Deps): Promise<void> {
  await inPortions(ctx.db, async (tx, size) => (await hideUploads(tx, attachments, unsent(UNSENT_HOURS), size)).length);
  await purgeDeleted(ctx, attachments);
}
