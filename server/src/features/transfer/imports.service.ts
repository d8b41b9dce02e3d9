import { type AccountImport, IMPORT_SENTENCES } from '@atelier/contract/transfer/imports';
import { and, desc, eq, inArray, ne, type SQL } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { asConflict } from '../../platform/database/constraint.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Received } from '../../platform/http/upload.ts';
import { requireLiveSignIn } from '../accounts/accounts.service.ts';
import { shownName } from '../files/file-names.service.ts';
import { takeBack, unstore, unstoreLater } from '../files/uploads.service.ts';
import { type Archive, asRefusal, openArchive, survey } from './archive.ts';
import { type AccountImportRow, accountImports, type ImportKey } from './imports.table.ts';
import { countsOf, storePast } from './other-programs/past.service.ts';
import { type TranslatedExport, translateExport } from './other-programs/translate.service.ts';

/** The queue that carries an archive over, and the one that deletes archives that nobody imports. */
export const IMPORT_QUEUE = 'transfer.import';
export const DISCARD_QUEUE = 'transfer.discard-import';
const KEEP_SECONDS = 24 * 60 * 60;
const NAME_CHARS = 200;

/** An import for the API. */
export function toImport(row: AccountImportRow): AccountImport {
  const { id, state, fileName, program, madeAt, agentNames, counts, notes, error, createdAt, finishedAt } = row;
  return {
    id,
    state,
    fileName,
    ...(program === null ? {} : { program }),
    agentNames,
    counts,
    notes,
    madeAt: madeAt.toISOString(),
    ...(error === null ? {} : { error }),
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

export const isImport = ({ userId, importId }: ImportKey) =>
  and(eq(accountImports.userId, userId), eq(accountImports.id, importId));

/** The account's latest import, if there is one. */
export async function findLatestImport(db: Db, uid: string): Promise<AccountImportRow | null> {
  const [row] = await db
    .select()
    .from(accountImports)
    .where(eq(accountImports.userId, uid))
    .orderBy(desc(accountImports.createdAt), desc(accountImports.id))
    .limit(1);
  return row ?? null;
}

/** The caller's import, or 404. */
export async function getImport(db: Db, uid: string, id: string): Promise<Authorized<AccountImportRow>> {
  const own = isImport({ userId: uid, importId: id });
  const [row] = isUuid(id) ? await db.select().from(accountImports).where(own) : [];
  return owned(uid, row, 'This import');
}

const notifyImport = (ctx: Pick<Deps, 'live'>, tx: Tx, uid: string) => ctx.live.notify(tx, uid, 'account', uid);

/** Where an import's archive is stored. */
const archiveOf = ({ userId, importId }: ImportKey) => ({
  userId,
  id: importId,
  key: `userFiles/${userId}/imports/${importId}.zip`,
});

/**
 * Changes an import that is in one of these states, and perhaps at one place, and notifies its pages; nothing otherwise. An archive that it needs
 * no longer is removed.
 */
export async function changeImport(
  ctx: Pick<Deps, 'live' | 'jobs'>,
  tx: Tx,
  key: ImportKey,
  { from, at, ...change }: Partial<AccountImportRow> & { from: AccountImportRow['state'][]; at?: SQL | undefined },
): Promise<AccountImportRow | undefined> {
  const isOne = and(isImport(key), inArray(accountImports.state, from), at);
  const [row] = await tx.update(accountImports).set(change).where(isOne).returning();
  if (row === undefined) return undefined;
  if (change.key === null) await unstoreLater(ctx, tx, archiveOf(key));
  await notifyImport(ctx, tx, key.userId);
  return row;
}

/** Stores an archive, or another program's export, and says what is in it; imports nothing. Replaces an earlier one unless that runs. */
export async function receiveArchive(ctx: Deps, caller: Caller, received: Received): Promise<AccountImportRow> {
  if ((await findLatestImport(ctx.db, caller.uid))?.state === 'running') {
    throw new AppError('conflict', IMPORT_SENTENCES.running);
  }
  const past = await translateExport(ctx, caller, received);
  try {
    const { path, size } = past ?? received;
    return await storeArchive(ctx, caller, { ...received, path, size }, past);
  } finally {
    await past?.remove();
  }
}

async function storeArchive(ctx: Deps, caller: Caller, received: Received, past: TranslatedExport | null) {
  const archive = await openArchive(received.path);
  const content = await describe(archive, past).finally(archive.close);
  const { uid } = caller;
  const own: ImportKey = { userId: uid, importId: uuidv7() };
  const bytes = archiveOf(own);
  const fileName = shownName(received.name, NAME_CHARS, 'archive.zip');
  // Before the bytes: should this process end now, nothing else knows of them.
  await ctx.db.transaction((tx) => discardLater(ctx, tx, own));
  try {
    await ctx.storage.move(bytes.key, received.path, received.size);
    return await ctx.db.transaction(async (tx) => {
      await requireLiveSignIn(tx, caller);
      const earlier = and(eq(accountImports.userId, uid), ne(accountImports.state, 'running'));
      const replaced = await tx.delete(accountImports).where(earlier).returning();
      for (const { id } of replaced) await unstoreLater(ctx, tx, archiveOf({ userId: uid, importId: id }));
      const values = { ...bytes, state: 'ready' as const, fileName, madeAt: archive.madeAt, ...content };
      const [row] = await tx.insert(accountImports).values(values).returning();
      if (past !== null) await storePast(tx, own, past);
      await notifyImport(ctx, tx, uid);
      return owned(uid, row, 'This import');
    });
  } catch (error) {
    return takeBack(ctx, error, () => unstore(ctx, bytes, (tx) => tx.delete(accountImports).where(isImport(own))));
  }
}

const discardLater = (ctx: Pick<Deps, 'jobs'>, tx: Tx, key: ImportKey) =>
  ctx.jobs.send(tx, DISCARD_QUEUE, key, { startAfterSeconds: KEEP_SECONDS });

/** What the preview shows; of another program's export the person chooses from lists of their own. */
async function describe(archive: Archive, past: TranslatedExport | null) {
  if (past === null) {
    return survey(archive).catch((error: unknown) => {
      throw asRefusal(error);
    });
  }
  const counts = countsOf({ ...past, chosenConversations: null, chosenFacts: [] });
  return { program: past.program, agentNames: [], counts, notes: past.notes };
}

/** Begins, or goes on after a stop or a failure; 409 while another one runs. Asked twice, it runs once. */
export async function startImport(ctx: Deps, before: Authorized<AccountImportRow>): Promise<AccountImportRow> {
  const key = { userId: before.userId, importId: before.id };
  const change = { state: 'running' as const, error: null, finishedAt: null };
  return ctx.db
    .transaction(async (tx) => {
      const row = await changeImport(ctx, tx, key, { from: ['ready', 'stopped', 'failed'], ...change });
      if (row !== undefined) await ctx.jobs.send(tx, IMPORT_QUEUE, key);
      return row ?? getImport(tx, before.userId, before.id);
    })
    .catch(asConflict('account_imports_one_running', IMPORT_SENTENCES.running));
}

/** Ends a running import, or stops it after its present step; what came over stays. False when it doesn't run any more. */
export async function endImport(
  ctx: Deps,
  key: ImportKey,
  end: { state: 'stopped' } | { state: 'done'; key: null } | { state: 'failed'; error: string },
): Promise<boolean> {
  const change = { from: ['running' as const], ...end, finishedAt: new Date() };
  return (await ctx.db.transaction((tx) => changeImport(ctx, tx, key, change))) !== undefined;
}

/** Deletes an archive and its report; what was imported stays. 409 while it runs. */
export async function discardImport(ctx: Deps, before: Authorized<AccountImportRow>): Promise<void> {
  const key = { userId: before.userId, importId: before.id };
  await ctx.db.transaction(async (tx) => {
    const isIdle = and(isImport(key), ne(accountImports.state, 'running'));
    const gone = await tx.delete(accountImports).where(isIdle).returning();
    if (gone.length === 0) throw new AppError('conflict', IMPORT_SENTENCES.running);
    await unstoreLater(ctx, tx, archiveOf(key));
  });
}

/** Deletes the bytes of an archive after a day, also without an import; the report of one that was begun stays. One that runs has another day. */
export async function forgetArchive(ctx: Deps, key: ImportKey): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(accountImports).where(isImport(key)).for('update');
    if (row?.state === 'running') return discardLater(ctx, tx, key);
    if (row?.state === 'ready') await tx.delete(accountImports).where(isImport(key));
    else await tx.update(accountImports).set({ key: null }).where(isImport(key));
    await unstoreLater(ctx, tx, archiveOf(key));
  });
}
