import { IMPORT_SENTENCES } from '@atelier/contract/transfer/imports';
import { and, eq } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { outageOf } from '../../platform/outage.ts';
import { asRefusal } from './archive/archive.ts';
import { carryOver } from './carry-over.service.ts';
import { Halted, openProgress } from './import-progress.service.ts';
import { IMPORT_QUEUE, type ImportKey, isImport, notifyImport } from './imports.service.ts';
import { accountImports } from './imports.table.ts';
import { withArchive } from './stored-archive.service.ts';

/** Carries a running import on from where it is, to its end. Throws only while the database or the disk is away: then it is tried again. */
export async function runImport(ctx: Deps, key: ImportKey): Promise<void> {
  const [row] = await ctx.db.select().from(accountImports).where(isImport(key));
  if (row === undefined || row.state !== 'running') return;
  try {
    await withArchive(ctx, row.key, (archive) => carryOver(ctx, key, archive, openProgress(ctx, key, row)));
    const isDone = await finish(ctx, key, { state: 'done', key: null });
    if (isDone && row.key !== null) await ctx.storage.delete(row.key);
  } catch (error) {
    if (error instanceof Halted) return;
    if (outageOf(error) !== null) throw error;
    ctx.log.error('transfer.import', error, { importId: key.importId });
    const known = asRefusal(error);
    const why = known instanceof AppError ? known.message : IMPORT_SENTENCES.interrupted;
    await finish(ctx, key, { state: 'failed', error: why });
  }
}

/** After a start of the embedded server, whatever was running goes on. */
export async function resumeImports(ctx: Deps): Promise<void> {
  if (ctx.database.kind !== 'pglite') return;
  await ctx.db.transaction(async (tx) => {
    const running = await tx.select().from(accountImports).where(eq(accountImports.state, 'running'));
    const jobs = running.map(({ userId, id }) => ({ queue: IMPORT_QUEUE, data: { userId, importId: id } }));
    await ctx.jobs.sendAll(tx, jobs);
  });
}

type End = { state: 'done'; key: null } | { state: 'failed'; error: string };

/** Ends a running import; false when it was stopped meanwhile. */
async function finish(ctx: Deps, key: ImportKey, end: End): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const ended = await tx
      .update(accountImports)
      .set({ ...end, finishedAt: new Date() })
      .where(and(isImport(key), eq(accountImports.state, 'running')))
      .returning({ id: accountImports.id });
    await notifyImport(ctx, tx, key.userId);
    return ended.length > 0;
  });
}
