import type { SQL } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { inPortions } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { purgeUpload } from '../files/uploads.service.ts';
import { findHidden, findOfTask, hideUnnamed, hideUnsent, ofUser, uploadedFor } from './attachments.queries.ts';

/** The queue that removes attachments which no message names any more. */
const SWEEP_QUEUE = 'attachments.sweep';
/** What is uploaded and not sent stays this long. */
const UNSENT_HOURS = 24;
const PORTION = 100;

/** Registers this feature's durable jobs; call once, before the jobs start. */
export const registerAttachmentJobs = (deps: Deps): void =>
  deps.jobs.handle(SWEEP_QUEUE, () => sweepAttachments(deps), { cron: '* * * * *' });

/** The attachments that go with a message, unless another names them: ask before it is removed. */
export const attachmentsOfTask = findOfTask;

/** Hides those of a person's attachments that no message names any more, inside the transaction that removed messages. */
export async function dropUnnamed(ctx: Deps, tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await drop(ctx, tx, ofUser(userId, ids), ids.length);
}

/** Hides what was uploaded for a session and no message names any more, in portions, after its messages were removed. */
export const dropUploads = (ctx: Deps, { userId, sessionId }: { userId: string; sessionId: string }): Promise<void> =>
  inPortions(ctx.db, (tx, size) => drop(ctx, tx, uploadedFor(userId, sessionId), size));

async function drop(ctx: Deps, tx: Tx, which: SQL | undefined, size: number): Promise<number> {
  const count = await hideUnnamed(tx, which, size);
  if (count > 0) await ctx.jobs.send(tx, SWEEP_QUEUE, {}, { singletonKey: 'hidden' });
  return count;
}

/** Removes what is hidden, and hides what was never sent. */
export async function sweepAttachments(ctx: Deps): Promise<void> {
  await inPortions(ctx.db, (tx, size) => hideUnsent(tx, UNSENT_HOURS, size));
  let rows: Awaited<ReturnType<typeof findHidden>>;
  do {
    rows = await findHidden(ctx.db, PORTION);
    for (const row of rows) await purgeUpload(ctx, row, 0);
  } while (rows.length === PORTION);
}
