import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { boolean, text, uuid } from 'drizzle-orm/pg-core';
import { sqlFunction } from '../../platform/database/sql-function.ts';

const atelierFactHolds = sqlFunction(
  'atelier_fact_holds',
  { userId: text('_uid').notNull(), memoryId: uuid('_memory').notNull() },
  boolean().notNull(),
);
const atelierLaterFact = sqlFunction(
  'atelier_later_fact',
  { userId: text('_uid').notNull(), replacedBy: uuid('_replaced_by'), sameAs: uuid('_same_as') },
  uuid(),
);

/** A fact in a statement: the columns of a row, under any alias. */
interface FactColumns {
  userId: SQLWrapper;
  memoryId: SQLWrapper;
  replacedBy: SQLWrapper;
  sameAs: SQLWrapper;
}

/** Whether what states a fact is on the chosen path of its session; on a path that the person left, it states nothing. */
export const holds = ({ userId, memoryId }: Pick<FactColumns, 'userId' | 'memoryId'>) =>
  atelierFactHolds.call({ userId, memoryId });

/** Whether a fact repeats an earlier one that is on the path; otherwise it stands for itself. */
export const isRepetition = ({ userId, sameAs }: FactColumns): SQL<boolean> =>
  sql<boolean>`(${sameAs} is not null and exists (select from facts he where he.user_id = ${userId} and he.id = ${sameAs}
    and ${holds({ userId: sql`he.user_id`, memoryId: sql`he.memory_id` })}))`;

/** The later fact that made one untrue. */
export const laterFact = ({ userId, replacedBy, sameAs }: FactColumns): SQL<string | null> =>
  sql<string | null>`case when ${replacedBy} is not null or ${sameAs} is not null
    then ${atelierLaterFact.call({ userId, replacedBy, sameAs })} end`;
