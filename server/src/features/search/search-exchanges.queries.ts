import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { passageOf, rankOf } from '../../platform/database/text-search.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { findOwn, type Own, RANKED, type Search } from './search.queries.ts';

const onPath = sql`(select p.on_path from task_places p where p.user_id = ${tasks.userId} and p.task_id = ${tasks.id})`;
const OWN_TASKS: Own = { table: tasks, at: tasks.createdAt, living: undefined, keep: onPath };

/** The user's exchanges by question and answer, with the matching passage. */
export async function findExchanges(db: Db, search: Search) {
  const ids = await findOwn(db, search, OWN_TASKS, RANKED);
  if (ids.length === 0) return [];
  const { uid, limit } = search;
  const session = db
    .select({ name: sessions.name, deletedAt: sessions.deletedAt })
    .from(sessions)
    .where(and(eq(sessions.userId, uid), eq(sessions.id, tasks.sessionId)))
    .limit(1)
    .as('session');
  const best = db
    .select({ id: tasks.id, rank: rankOf(tasks, search.terms).as('rank'), sessionName: session.name })
    .from(tasks)
    .innerJoinLateral(session, isNull(session.deletedAt))
    .where(and(eq(tasks.userId, uid), inArray(tasks.id, ids)))
    .orderBy(desc(sql`rank`), desc(tasks.createdAt))
    .limit(limit)
    .as('best');
  return db
    .select({
      id: tasks.id,
      sessionId: tasks.sessionId,
      sessionName: best.sessionName,
      agentName: tasks.agentName,
      createdAt: tasks.createdAt,
      passage: passageOf(sql`${tasks.inputText} || ' ' || ${tasks.message}`, search.terms),
    })
    .from(best)
    .innerJoin(tasks, and(eq(tasks.userId, uid), eq(tasks.id, best.id)))
    .orderBy(desc(best.rank), desc(tasks.createdAt));
}
