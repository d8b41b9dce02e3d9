import { and, eq, isNotNull, or, type SQL } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { inPortions } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { UPLOAD_MINUTES } from '../files/purge-file.service.ts';
import {
  findGone,
  findHiddenOf,
  findOfTask,
  hideUnnamed,
  hideUnsent,
  ofUser,
  uploadedFor,
} from './attachments.queries.ts';
import { type AttachmentRow, attachments } from './attachments.table.ts';

/** The queue that removes attachments which no message names any more. */
export const PURGE_ATTACHMENTS_QUEUE = 'attachments.purge';
/** What is uploaded and not sent stays this long. */
const UNSENT_HOURS = 24;
const PORTION = 100;

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerAttachmentJobs(deps: Deps): void {
  deps.jobs.handle<{ userId: string; ids: string[] }>(PURGE_ATTACHMENTS_QUEUE, (job) => purge(deps, job), {
    retryLimit: 10,
  });
  deps.jobs.handle('attachments.sweep', () => sweepAttachments(deps), { cron: '* * * * *' });
}

/** Removes an attachment: first its bytes, then its row, so a row never loses sight of bytes. */
export async function removeAttachment(
  ctx: Deps,
  { userId, id, key }: Pick<AttachmentRow, 'userId' | 'id' | 'key'>,
): Promise<void> {
  await ctx.storage.delete(key);
  const same = and(eq(attachments.userId, userId), eq(attachments.id, id));
  await ctx.db
    .delete(attachments)
    .where(and(same, or(isNotNull(attachments.deletedAt), eq(attachments.state, 'uploading'))));
}

/** The attachments that go with a message, unless another names them: ask before it is removed. */
export const attachmentsOfTask = findOfTask;

/** Hides those of a person's attachments that no message names any more, inside the transaction that removed messages. */
export async function dropUnnamed(ctx: Deps, tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await hide(ctx, tx, userId, { which: ofUser(userId, ids), size: ids.length });
}

/** Hides what was uploaded for a session and no message names any more, in portions, after its messages were removed. */
export const dropUploads = (ctx: Deps, { userId, sessionId }: { userId: string; sessionId: string }): Promise<void> =>
  inPortions(ctx.db, (tx, size) => hide(ctx, tx, userId, { which: uploadedFor(userId, sessionId), size }));

async function hide(ctx: Deps, tx: Tx, userId: string, { which, size }: { which: SQL | undefined; size: number }) {
  const gone = (await hideUnnamed(tx, which, size)).map(({ id }) => id);
  if (gone.length > 0) await ctx.jobs.send(tx, PURGE_ATTACHMENTS_QUEUE, { userId, ids: gone });
  return gone.length;
}

async function purge(ctx: Deps, { userId, ids }: { userId: string; ids: string[] }): Promise<void> {
  for (const row of await findHiddenOf(ctx.db, userId, ids)) await removeAttachment(ctx, row);
}

/** Removes what was never sent, what broke off, and what an earlier attempt left behind. */
export async function sweepAttachments(ctx: Deps): Promise<void> {
  await inPortions(ctx.db, (tx, size) => hideUnsent(tx, UNSENT_HOURS, size));
  for (const row of await findGone(ctx.db, PORTION, UPLOAD_MINUTES)) await removeAttachment(ctx, row);
}
