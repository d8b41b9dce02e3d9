import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isOnPath } from '../runs/places.table.ts';

/** A fact in a statement: the columns of a row, under any alias. */
interface FactColumns {
  userId: SQLWrapper;
  memoryId: SQLWrapper;
  replacedBy: SQLWrapper;
  sameAs: SQLWrapper;
}

/** Whether a memory was said on a chosen path. */
export const isSaidOnPath = (memory: { userId: SQLWrapper; taskId: SQLWrapper }): SQL<boolean> =>
  isOnPath(memory.userId, memory.taskId);

/** Whether what states a fact is on the chosen path of its session; on a path that the person left, it states nothing. */
const isHeld = (userId: SQLWrapper, memoryId: SQLWrapper): SQL<boolean> =>
  sql<boolean>`coalesce((select ${isOnPath(sql`hm.user_id`, sql`hm.task_id`)} from memories hm
    where hm.user_id = ${userId} and hm.id = ${memoryId}), false)`;

/** The same for a fact that is read. */
export const holds = ({ userId, memoryId }: Pick<FactColumns, 'userId' | 'memoryId'>) => isHeld(userId, memoryId);

/** Whether a fact repeats an earlier one that is on the path; otherwise it stands for itself. */
export const isRepetition = ({ userId, sameAs }: FactColumns): SQL<boolean> =>
  sql<boolean>`(${sameAs} is not null and exists (select from facts he where he.user_id = ${userId} and he.id = ${sameAs}
    and ${isHeld(sql`he.user_id`, sql`he.memory_id`)}))`;

/**
 * The later fact that made one untrue. One that the person has forgotten, or that is on a path they left, does not count, but one that
 * replaced it in turn does.
 */
export const laterFact = ({ userId, replacedBy, sameAs }: FactColumns): SQL<string | null> => {
  const counts = sql`hn.forgotten_at is null and ${isHeld(sql`hn.user_id`, sql`hn.memory_id`)}`;
  const first = sql`coalesce(${replacedBy}, (select he.replaced_by from facts he where he.user_id = ${userId} and he.id = ${sameAs}))`;
  return sql<string | null>`case when ${replacedBy} is not null or ${sameAs} is not null then (
    with recursive later as (
      select hn.user_id, hn.id, hn.replaced_by, ${counts} as counts from facts hn where hn.user_id = ${userId} and hn.id = ${first}
      union
      select hn.user_id, hn.id, hn.replaced_by, ${counts} from later join facts hn on hn.user_id = later.user_id
        and hn.id = later.replaced_by where not later.counts
    ) select later.id from later where later.counts limit 1) end`;
};
