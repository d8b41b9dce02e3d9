import { IMPORT_SENTENCES } from '@atelier/contract/transfer/imports';
import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Authorized } from '../../access.ts';
import { asConflict } from '../../platform/database/constraint.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { getImport, IMPORT_QUEUE, type ImportKey, isImport, notifyImport } from './imports.service.ts';
import { type AccountImportRow, accountImports } from './imports.table.ts';

/** Begins, or goes on after a stop or a failure; 409 while another one runs. Asked twice, it runs once. */
export async function startImport(ctx: Deps, found: Authorized<AccountImportRow>): Promise<AccountImportRow> {
  const key = { userId: found.userId, importId: found.id };
  return ctx.db
    .transaction(async (tx) => {
      const [row] = await tx
        .update(accountImports)
        .set({ state: 'running', error: null, finishedAt: null })
        .where(and(isImport(key), inArray(accountImports.state, ['ready', 'stopped', 'failed'])))
        .returning();
      if (row === undefined) return getImport(tx, found.userId, found.id);
      await ctx.jobs.send(tx, IMPORT_QUEUE, key);
      await notifyImport(ctx, tx, found.userId);
      return row;
    })
    .catch(asConflict('account_imports_one_running', IMPORT_SENTENCES.running));
}

/** Stops a running import after its present step; what came over stays. */
export async function stopImport(ctx: Deps, found: Authorized<AccountImportRow>): Promise<AccountImportRow> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(accountImports)
      .set({ state: 'stopped', finishedAt: new Date() })
      .where(and(isImport({ userId: found.userId, importId: found.id }), eq(accountImports.state, 'running')))
      .returning();
    if (row !== undefined) await notifyImport(ctx, tx, found.userId);
    return row ?? getImport(tx, found.userId, found.id);
  });
}

/** Deletes an archive and its report; what was imported stays. 409 while it runs. */
export async function discardImport(ctx: Deps, found: Authorized<AccountImportRow>): Promise<void> {
  const key = { userId: found.userId, importId: found.id };
  const [row] = await ctx.db
    .delete(accountImports)
    .where(and(isImport(key), ne(accountImports.state, 'running')))
    .returning();
  if (row === undefined) throw new AppError('conflict', IMPORT_SENTENCES.running);
  if (row.key !== null) await ctx.storage.delete(row.key);
}

/** Deletes the bytes of an archive that waited for a day; its report stays. */
export async function forgetArchive(ctx: Deps, key: ImportKey): Promise<void> {
  const [row] = await ctx.db.select().from(accountImports).where(isImport(key));
  if (row === undefined || row.key === null || row.state === 'running') return;
  await ctx.storage.delete(row.key);
  if (row.state === 'ready')
    await ctx.db.delete(accountImports).where(and(isImport(key), eq(accountImports.state, 'ready')));
  else await ctx.db.update(accountImports).set({ key: null }).where(isImport(key));
}
