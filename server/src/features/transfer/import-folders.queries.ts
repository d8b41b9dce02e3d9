import { FOLDER_LIMITS } from '@atelier/contract/sessions/folders';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/database/database.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { sessionFolders } from '../sessions/folders.table.ts';
import { folderRow } from './archive/archive-rows.ts';

/** Creates the archive's folders that the account doesn't have yet, by name, as far as there is room; returns where each is here. */
export async function importFolders(db: Db, uid: string, portions: AsyncIterable<unknown[]>) {
  const here = new Map<string, string>();
  for await (const portion of portions) {
    await db.transaction(async (tx) => {
      await lockUsage(tx, uid);
      for (const row of portion) {
        const folder = folderRow.safeParse(row);
        if (!folder.success || here.size === FOLDER_LIMITS.folders) continue;
        const id = await findOrCreate(tx, uid, folder.data.name);
        if (id !== undefined) here.set(folder.data.id, id);
      }
    });
  }
  return here;
}

async function findOrCreate(tx: Tx, userId: string, name: string): Promise<string | undefined> {
  const mine = eq(sessionFolders.userId, userId);
  const [found] = await tx
    .select({ id: sessionFolders.id })
    .from(sessionFolders)
    .where(and(mine, sql`lower(${sessionFolders.name}) = lower(${name})`));
  if (found !== undefined) return found.id;
  if ((await tx.$count(sessionFolders, mine)) >= FOLDER_LIMITS.folders) return undefined;
  const id = uuidv7();
  await tx.insert(sessionFolders).values({ userId, id, name });
  return id;
}

/** Says where a folder of the archive is here, and keeps those that still are until the transaction ends. */
export async function findFolders(tx: Tx, uid: string, folders: ReadonlyMap<string, string>) {
  const ids = [...folders.values()];
  const isOne = and(eq(sessionFolders.userId, uid), inArray(sessionFolders.id, ids));
  const rows = ids.length === 0 ? [] : await tx.select().from(sessionFolders).where(isOne).for('key share');
  const present = new Set(rows.map((row) => row.id));
  return (folderId: string | null) => {
    const id = folderId === null ? undefined : folders.get(folderId);
    return id !== undefined && present.has(id) ? id : null;
  };
}
