import { FOLDER_LIMITS, FOLDER_SENTENCES, type Folder } from '@atelier/contract/sessions/folders';
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Caller, owned } from '../../access.ts';
import { asConflict } from '../../platform/database/constraint.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { inPortions, someOf } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import { type FolderRow, sessionFolders, sessions } from './sessions.table.ts';

const WHAT = 'This folder';
const explainTaken = asConflict('session_folders_name', FOLDER_SENTENCES.taken, 'name');

const toFolder = (row: FolderRow, sessionCount: number): Folder => ({
  id: row.id,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  sessionCount,
});

const isFolder = (uid: string, id: string) => and(eq(sessionFolders.userId, uid), eq(sessionFolders.id, id));

/** The caller's folders by name, with how many sessions are in each. */
export async function listFolders(ctx: Deps, caller: Caller): Promise<Folder[]> {
  const counts = await countIn(ctx.db, caller.uid);
  const rows = await ctx.db
    .select()
    .from(sessionFolders)
    .where(eq(sessionFolders.userId, caller.uid))
    .orderBy(asc(sql`lower(${sessionFolders.name})`), asc(sessionFolders.id));
  return rows.map((row) => toFolder(row, counts.get(row.id) ?? 0));
}

async function countIn(db: Db, uid: string, id?: string): Promise<Map<string | null, number>> {
  const rows = await db
    .select({ id: sessions.folderId, n: count() })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, uid),
        id === undefined ? sql`${sessions.folderId} is not null` : eq(sessions.folderId, id),
        eq(sessions.archived, false),
        isNull(sessions.deletedAt),
      ),
    )
    .groupBy(sessions.folderId);
  return new Map(rows.map((row) => [row.id, row.n]));
}

/** Creates a folder; 409 when the caller has one of that name, 402 at the limit. */
export async function createFolder(ctx: Deps, caller: Caller, name: string): Promise<Folder> {
  return ctx.db
    .transaction(async (tx) => {
      await lockUsage(tx, caller.uid);
      const mine = eq(sessionFolders.userId, caller.uid);
      if ((await tx.$count(sessionFolders, mine)) >= FOLDER_LIMITS.folders)
        throw new AppError('limit_reached', FOLDER_SENTENCES.tooMany);
      const [made] = await tx.insert(sessionFolders).values({ userId: caller.uid, id: uuidv7(), name }).returning();
      await notify(ctx, tx, caller.uid);
      return toFolder(owned(caller.uid, made, WHAT), 0);
    })
    .catch(explainTaken);
}

/** Renames the caller's folder; 404 when it is not theirs, 409 when another has the name. */
export async function renameFolder(ctx: Deps, caller: Caller, id: string, name: string): Promise<Folder> {
  return ctx.db
    .transaction(async (tx) => {
      await lockFolder(tx, caller.uid, id);
      const [row] = await tx.update(sessionFolders).set({ name }).where(isFolder(caller.uid, id)).returning();
      await notify(ctx, tx, caller.uid);
      return toFolder(owned(caller.uid, row, WHAT), (await countIn(tx, caller.uid, id)).get(id) ?? 0);
    })
    .catch(explainTaken);
}

/** Deletes the caller's folder and keeps its sessions, outside of any folder; 404 when it is not theirs. */
export async function deleteFolder(ctx: Deps, caller: Caller, id: string): Promise<void> {
  await ctx.db.transaction((tx) => lockFolder(tx, caller.uid, id));
  await inPortions(ctx.db, (tx, size) => emptySome(tx, caller.uid, id, size));
  await ctx.db.transaction(async (tx) => {
    // Moves of several sessions wait for this too, so that neither waits for the other's rows.
    await lockUsage(tx, caller.uid);
    await lockFolder(tx, caller.uid, id);
    await tx.delete(sessionFolders).where(isFolder(caller.uid, id));
    await notify(ctx, tx, caller.uid);
  });
}

/** Takes some sessions out of a folder; the few that come meanwhile leave it with its row. Returns 0 once there are no more. */
async function emptySome(db: Db, uid: string, id: string, size: number): Promise<number> {
  const inside = and(eq(sessions.userId, uid), eq(sessions.folderId, id));
  const moved = await db
    .update(sessions)
    .set({ folderId: null })
    .where(someOf(sessions, inside, size))
    .returning({ id: sessions.id });
  return moved.length;
}

/** Keeps the caller's folder from being deleted until the transaction ends; 404 when it is not theirs. */
export async function lockFolder(tx: Tx, uid: string, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound(WHAT);
  const [row] = await tx.select().from(sessionFolders).where(isFolder(uid, id)).for('key share');
  owned(uid, row, WHAT);
}

/** The folder's name; null when there is none. */
export async function findFolderName(db: Db, uid: string, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const [row] = await db.select({ name: sessionFolders.name }).from(sessionFolders).where(isFolder(uid, id));
  return row?.name ?? null;
}

/** A folder's name stands in the list of sessions, which every tab refetches. */
const notify = (ctx: Deps, tx: Tx, uid: string) => ctx.live.notify(tx, uid, 'sessions', '');
