import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { findInOrder } from '../../platform/database/find-in-order.ts';
import { ofOwner, passageOf, rankOf } from '../../platform/database/text-search.ts';
import { agents } from '../agents/agents.table.ts';
import { agentFiles, filePassages } from '../files/files.table.ts';
import { isOther, type Search } from './search.queries.ts';

/** As in every search, only the newest matches are ranked. */
const RANKED = 60;

/** In a file that is read and not deleted. */
const isReadable = sql`exists (select from ${agentFiles} f where f.user_id = ${filePassages.userId} and f.id = ${filePassages.fileId}
  and f.deleted_at is null and f.state = 'ready')`;

/** The matching passages of the user's files, best first. */
export async function findPassages(db: Db, { uid, terms, without, limit }: Search) {
  const keys = await findInOrder(db, {
    table: filePassages,
    at: filePassages.createdAt,
    scope: eq(filePassages.userId, uid),
    keep: and(isReadable, isOther(filePassages, { without })),
    words: terms,
    mark: ofOwner(uid),
    limit: RANKED,
  });
  if (keys.length === 0) return [];
  return passagesById(
    db,
    uid,
    keys.map(({ id }) => id),
    passageOf(sql`${filePassages.text}`, terms),
  )
    .orderBy(desc(rankOf(filePassages, terms)), desc(filePassages.createdAt))
    .limit(limit);
}

/** The user's passages among these ids, with their beginning. */
export const findPassagesById = (db: Db, uid: string, ids: readonly string[]) =>
  passagesById(db, uid, ids, sql<string>`left(${filePassages.text}, 200)`);

const passagesById = (db: Db, uid: string, ids: readonly string[], passage: SQL<string>) =>
  db
    .select({
      id: filePassages.id,
      fileId: filePassages.fileId,
      fileName: agentFiles.name,
      place: filePassages.place,
      agentId: agents.slug,
      agentName: agents.name,
      passage,
    })
    .from(filePassages)
    .innerJoin(agentFiles, and(eq(agentFiles.userId, filePassages.userId), eq(agentFiles.id, filePassages.fileId)))
    .innerJoin(agents, and(eq(agents.userId, filePassages.userId), eq(agents.id, filePassages.agentId)))
    .where(
      and(
        eq(filePassages.userId, uid),
        inArray(filePassages.id, [...ids]),
        isNull(agentFiles.deletedAt),
        eq(agentFiles.state, 'ready'),
        isNull(agents.deletedAt),
      ),
    )
    .$dynamic();
