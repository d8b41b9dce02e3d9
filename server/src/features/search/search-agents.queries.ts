import { and, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { findInOrder } from '../../platform/database/find-in-order.ts';
import { FOR_ALL, ofOwner, passageOf, rankOf, type Term } from '../../platform/database/text-search.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents, areAgents, isAuthorIn, isPublished, isVisible } from '../agents/agents.table.ts';
import { imitatedAgent } from '../explore/explore.table.ts';
import { agentFiles, filePassages } from '../files/files.table.ts';
import { findOwn, isOther, type Own, RANKED, type Search } from './search.queries.ts';

const OWN_AGENTS: Own = { table: agents, at: agents.createdAt, living: isNull(agents.deletedAt) };

const agentPassage = (terms: readonly Term[]) =>
  passageOf(sql`concat_ws(' ', ${agents.name}, nullif(${agents.description}, ''), ${agents.prompt})`, terms);

/** The user's own agents by name, description and prompt. */
export async function findAgents(db: Db, search: Search) {
  const ids = await findOwn(db, search, OWN_AGENTS, RANKED);
  if (ids.length === 0) return [];
  const best = db
    .select({ id: agents.id, rank: rankOf(agents, search.terms).as('rank') })
    .from(agents)
    .where(and(eq(agents.userId, search.uid), inArray(agents.id, ids)))
    .orderBy(desc(sql`rank`), desc(agents.createdAt))
    .limit(search.limit)
    .as('best');
  return db
    .select({ id: agents.slug, name: agents.name, passage: agentPassage(search.terms) })
    .from(best)
    .innerJoin(agents, and(eq(agents.userId, search.uid), eq(agents.id, best.id)))
    .orderBy(desc(best.rank), desc(agents.createdAt));
}

/** Other people's public agents, most favorites first. */
export async function findPublicAgents(db: Db, search: Search) {
  const { uid, terms: words, limit } = search;
  const popular = await findInOrder(db, {
    table: agents,
    at: agents.favoriteCount,
    scope: isPublished,
    keep: and(ne(agents.userId, uid), isOther(agents, search), isAuthorIn),
    words,
    mark: FOR_ALL,
    limit,
  });
  if (popular.length === 0) return [];
  return db
    .select({
      id: agents.slug,
      creatorId: agents.userId,
      name: agents.name,
      creatorName: user.name,
      imitates: imitatedAgent,
      passage: agentPassage(words),
    })
    .from(agents)
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(isVisible, areAgents(popular)))
    .orderBy(desc(agents.favoriteCount), desc(agents.id));
}

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
  const ids = keys.map(({ id }) => id);
  return passagesById(db, uid, ids, passageOf(sql`${filePassages.text}`, terms))
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
