import { and, asc, eq, gt, isNull, type SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { agents } from '../agents/agents.table.ts';
import { PAGE } from './own-rows.queries.ts';

/** A person's agents that are not deleted, read one page after another. */
export async function* livingAgents(db: Db, uid: string) {
  for (let after: SQL | undefined; ; ) {
    const rows = await db
      .select()
      .from(agents)
      .where(and(eq(agents.userId, uid), isNull(agents.deletedAt), after))
      .orderBy(asc(agents.id))
      .limit(PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = gt(agents.id, last.id);
  }
}
