import type { AccountImport } from '@atelier/contract/transfer/imports';
import { and, desc, eq } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { type Authorized, owned } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { type AccountImportRow, accountImports } from './imports.table.ts';

/** The queue that carries an archive over, and the one that deletes archives that nobody imports. */
export const IMPORT_QUEUE = 'transfer.import';

/** An import's keys, as jobs store them. */
export interface ImportKey {
  userId: string;
  importId: string;
}

/** An import for the API. */
export function toImport(row: AccountImportRow): AccountImport {
  const { id, state, fileName, madeAt, agentNames, counts, notes, error, createdAt, finishedAt } = row;
  return {
    id,
    state,
    fileName,
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
  const [row] = isUuid(id)
    ? await db
        .select()
        .from(accountImports)
        .where(isImport({ userId: uid, importId: id }))
    : [];
  return owned(uid, row, 'This import');
}

/** Notifies the account's pages of progress. */
export const notifyImport = (ctx: Pick<Deps, 'live'>, tx: Tx, uid: string) => ctx.live.notify(tx, uid, 'account', uid);
