import { and, eq, not, type SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { findInOrder, type Wanted } from '../../platform/database/find-in-order.ts';
import { fitsWords, ofOwner, type Term } from '../../platform/database/text-search.ts';

/** How many of the newest matches are ranked: a common word must not make a search slow. */
export const RANKED = 60;

export interface Search {
  uid: string;
  terms: readonly Term[];
  /** Leave out rows that match these terms: they were found already. */
  without?: readonly Term[];
  limit: number;
}

export type Own = Pick<Wanted, 'table' | 'at'> & { living: SQL | undefined; keep?: SQL };

export const isOther = (table: Wanted['table'], { without }: Pick<Search, 'without'>) =>
  without === undefined ? undefined : not(fitsWords(table, without));

/** The ids of the user's newest matching rows. */
export async function findOwn(db: Db, search: Search, { table, at, living, keep }: Own, limit: number) {
  const { uid, terms: words } = search;
  const scope = and(eq(table.userId, uid), living);
  const kept = and(keep, isOther(table, search));
  const found = await findInOrder(db, { table, at, scope, keep: kept, words, mark: ofOwner(uid), limit });
  return found.map(({ id }) => id);
}
