import { type AccountImport, IMPORT_SENTENCES } from '@atelier/contract/transfer/imports';
import { and, desc, eq, inArray, ne, type SQL } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { asConflict } from '../../platform/database/constraint.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Received } from '../../platform/http/upload.ts';
import { shownName } from '../files/file-names.service.ts';
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

/** Changes an import that is in one of these states, and perhaps at one place, and notifies its pages; nothing otherwise. */
export async function changeImport(
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  key: ImportKey,
  { from, at, ...change }: Partial<AccountImportRow> & { from: AccountImportRow['state'][]; at?: SQL | undefined },
): Promise<AccountImportRow | undefined> {
  const isOne = and(isImport(key), inArray(accountImports.state, from), at);
  const [row] = await tx.update(accountImports).set(change).where(isOne).returning();
  if (row !== undefined) await notifyImport(ctx, tx, key.userId);
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
    return await storeArchive(ctx, caller.uid, { ...received, path, size }, past);
  } finally {
    await past?.remove();
  }
}

async function storeArchive(ctx: Deps, uid: string, received: Received, past: TranslatedExport | null) {
  const archive = await openArchive(received.path);
  const content = await describe(archive, past).finally(archive.close);
  const id = uuidv7();
  const key = `userFiles/${uid}/imports/${id}.zip`;
  await ctx.storage.move(key, received.path, received.size);
  const fileName = shownName(received.name, NAME_CHARS, 'archive.zip');
  const { replaced, stored } = await ctx.db.transaction(async (tx) => {
    const earlier = and(eq(accountImports.userId, uid), ne(accountImports.state, 'running'));
    const gone = await tx.delete(accountImports).where(earlier).returning();
    const values = { userId: uid, id, state: 'ready' as const, fileName, key, madeAt: archive.madeAt, ...content };
    const [row] = await tx.insert(accountImports).values(values).returning();
    const discard = { userId: uid, importId: id };
    if (past !== null) await storePast(tx, discard, past);
    await ctx.jobs.send(tx, DISCARD_QUEUE, discard, { startAfterSeconds: KEEP_SECONDS });
    await notifyImport(ctx, tx, uid);
    return { replaced: gone, stored: owned(uid, row, 'This import') };
  });
  for (const row of replaced) if (row.key !== null) await ctx.storage.delete(row.key);
  return stored;
}

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
  const [row] = await ctx.db
    .delete(accountImports)
    .where(and(isImport(key), ne(accountImports.state, 'running')))
    .returning();
  if (row === undefined) throw new AppError('conflict', IMPORT_SENTENCES.running);
  if (row.key !== null) await ctx.storage.delete(row.key);
}

/** Deletes the bytes of an archive after a day; the report of an import that was begun stays. */
export async function forgetArchive(ctx: Deps, key: ImportKey): Promise<void> {
  const [row] = await ctx.db.select().from(accountImports).where(isImport(key));
  if (row === undefined || row.key === null || row.state === 'running') return;
  await ctx.storage.delete(row.key);
  if (row.state === 'ready')
    await ctx.db.delete(accountImports).where(and(isImport(key), eq(accountImports.state, 'ready')));
  else await ctx.db.update(accountImports).set({ key: null }).where(isImport(key));
}
