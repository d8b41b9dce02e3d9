import { NEW_AGENT } from '@atelier/contract/agents';
import { FOLDER_LIMITS } from '@atelier/contract/sessions/folders';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/database/database.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import { agents } from '../agents/agents.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { sessionFolders } from '../sessions/sessions.table.ts';
import { folderRow } from './archive-rows.ts';
import { type IdScope, importedId } from './import-ids.ts';
import { type Keyed, livingIn } from './own-tables.table.ts';

const NAMESPACE = 'c1f7f0a4-5f0b-4e0a-9d0a-6d2f6a2b7c11';
/** How often an agent may be imported and deleted again. */
const GENERATIONS = 100;

/**
 * Where an agent of the archive is, or where it is to be created (`free`). One that was deleted here comes back as another agent; one that
 * was deleted there (`isGone`) only stands for its sessions.
 */
export async function findAgent(db: Db, uid: string, source: string, isGone = false) {
  const copies = Array.from({ length: GENERATIONS }, (_, n) => uuidv5(`${uid}/${source}/${n}`, NAMESPACE));
  const rows = await db
    .select({
      id: agents.id,
      state: sql<'living' | 'deleted'>`case when ${livingIn(agents)} then 'living' else 'deleted' end`,
    })
    .from(agents)
    .where(and(eq(agents.userId, uid), inArray(agents.id, [source, ...copies])));
  const states = new Map(rows.map((row) => [row.id, row.state]));
  const own = states.get(source);
  if (own === 'living' || (own !== undefined && isGone)) return { id: source, isSame: true, state: own };
  const id = copies.find((copy) => isGone || states.get(copy) !== 'deleted');
  if (id === undefined) throw new Error(`agent ${source} was imported ${GENERATIONS} times`);
  return { id, isSame: false, state: states.get(id) ?? 'free' };
}

/** A deleted agent, which its sessions still name. */
export const insertDeletedAgent = (db: Db, agent: { userId: string; id: string; name: string; slug: string }) =>
  db
    .insert(agents)
    .values({ ...NEW_AGENT, ...agent, prompt: '', deletedAt: sql`now()` })
    .onConflictDoNothing();

/** Creates the archive's folders that the account doesn't have yet, by name, as far as there is room; returns where each is here. */
export async function importFolders(db: Db, uid: string, portions: AsyncIterable<unknown[]>) {
  const here = new Map<string, string>();
  for await (const portion of portions) {
    await db.transaction(async (tx) => {
      await lockUsage(tx, uid);
      for (const row of portion) {
        const folder = folderRow.safeParse(row);
        if (!folder.success || here.size === FOLDER_LIMITS.folders) continue;
        const id = await findOrCreateFolder(tx, uid, folder.data.name);
        if (id !== undefined) here.set(folder.data.id, id);
      }
    });
  }
  return here;
}

async function findOrCreateFolder(tx: Tx, userId: string, name: string): Promise<string | undefined> {
  const mine = eq(sessionFolders.userId, userId);
  const [folder] = await tx
    .select({ id: sessionFolders.id })
    .from(sessionFolders)
    .where(and(mine, sql`lower(${sessionFolders.name}) = lower(${name})`));
  if (folder !== undefined || (await tx.$count(sessionFolders, mine)) >= FOLDER_LIMITS.folders) return folder?.id;
  const id = uuidv7();
  await tx.insert(sessionFolders).values({ userId, id, name });
  return id;
}

/** Something of an archive, by its id there. */
export interface ArchiveId {
  id: string;
  scope: IdScope;
}

/** The ids that it may have here: its own for the very agent that was exported, and the one that an import gives it. */
export const idsOf = ({ id, scope }: ArchiveId) => [...(scope.isSame ? [id] : []), importedId(scope, id)];

/** Which things of the archive the account has, by their ids there: what an earlier import brought, or the things themselves. */
export async function findPresent(tx: Db, uid: string, table: Keyed, sources: ArchiveId[], only?: SQL) {
  const ids = [...new Set(sources.flatMap(idsOf))];
  if (ids.length === 0) return new Map<string, string>();
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.userId, uid), inArray(table.id, ids), only));
  const here = new Set(rows.map((row) => String(row.id)));
  return new Map(
    sources.flatMap((source) => {
      const id = idsOf(source).find((one) => here.has(one));
      return id === undefined ? [] : [[source.id, id]];
    }),
  );
}

/** Files of agents that the account has, by their ids. */
export const findFiles = (db: Db, uid: string, ids: string[]) =>
  db
    .select()
    .from(agentFiles)
    .where(and(eq(agentFiles.userId, uid), inArray(agentFiles.id, ids)));
