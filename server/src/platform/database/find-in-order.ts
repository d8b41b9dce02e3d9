import { setImmediate } from 'node:timers/promises';
import { and, desc, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db, Tx } from './database.ts';
import { behind, type ListPosition } from './keyset.ts';
import { allWords, fitsWords, markedWith, type Term, unspacedOf } from './text-search.ts';

/** How many rows one statement looks at: some 20 ms on the embedded database, which serves nobody else meanwhile. */
const STEP = 4_000;
/** Words that match more rows are not rare: reading the newest rows finds them sooner. */
const RARE = 2_000;
/** A shorter prefix matches so many words that the index is slower than reading. */
const BEGINNING_MIN = 3;

/** Which rows of a table to find. `words` needs the generated column of that name and its index. */
export interface OrderedQuery {
  table: PgTable & { userId: PgColumn; id: PgColumn };
  /** The latest or greatest first. An index must hold the rows of `scope` in this order. */
  at: PgColumn;
  scope: SQL | undefined;
  /** Further conditions on a row. */
  keep?: SQL | undefined;
  words?: readonly Term[];
  /** The mark in `words` of all rows in the scope. */
  mark?: string;
  after?: ListPosition | undefined;
  limit: number;
}

interface RowKey {
  userId: string;
  id: string;
}

/** The first matching rows, in order, by statements that look at some thousand rows at most and whose plan needs no statistics. */
export async function findInOrder(db: Db, wanted: OrderedQuery): Promise<RowKey[]> {
  const { words = [] } = wanted;
  if (words.length === 0) return walk(db, wanted);
  const [query] = await db.select({ nodes: sql<number>`numnode(${allWords(words)})` }).from(sql`(values (1)) one`);
  // Only words like “the”.
  if (query?.nodes === 0 && unspacedOf(words).length === 0) return [];
  const last = words.at(-1);
  const whole = typeof last === 'string' && last.length < BEGINNING_MIN ? words.slice(0, -1) : words;
  const rare = query?.nodes === 0 || whole.length === 0 ? undefined : await findRare(db, wanted, whole);
  return rare ?? walk(db, wanted);
}

const fitting = ({ table, words = [], keep }: OrderedQuery) =>
  and(keep, words.length === 0 ? undefined : fitsWords(table, words));

type Packed = [userId: string, id: string][];
const unpack = (rows: Packed): RowKey[] => rows.map(([userId, id]) => ({ userId, id }));
/** In order, as many as wanted; `rows` is the table or a subquery of it. */
const packed = (wanted: OrderedQuery, rows: SQL) => {
  const { table, at, limit } = wanted;
  return sql`select coalesce(json_agg(json_build_array(u, i)), '[]') from (
    select ${table.userId} as u, ${table.id} as i from ${rows} ${table} where ${and(sql`true`, fitting(wanted))}
    order by ${desc(at)}, ${desc(table.id)} limit ${limit}) kept`;
};

/** By the index of words; undefined when too many rows have them. */
async function findRare(db: Db, wanted: OrderedQuery, whole: readonly Term[]): Promise<RowKey[] | undefined> {
  const { table, at, scope, after, mark } = wanted;
  const query = whole === wanted.words ? allWords(whole) : allWords(whole, 'whole');
  const marked = mark === undefined ? query : sql`(${markedWith(mark)} && ${query})`;
  const matches = sql`select * from ${table} where ${table}.words @@ ${marked} limit ${RARE}`;
  const inScope = sql`(select * from found ${table} where ${and(sql`true`, scope, behind(at, table.id, after))})`;
  const [answer] = await db.select({ rows: sql<Packed>`rows`, size: sql<number>`size` }).from(
    sql`(with found as materialized (${matches})
        select (select count(*)::int from found) as size, (${packed(wanted, inScope)}) as rows) answer`,
  );
  return answer === undefined || answer.size >= RARE ? undefined : unpack(answer.rows);
}

/** Along the order's index, some thousand rows at a time. */
async function walk(db: Db, wanted: OrderedQuery): Promise<RowKey[]> {
  const keys: RowKey[] = [];
  for (let after = wanted.after; ; ) {
    const next = { ...wanted, after, limit: wanted.limit - keys.length };
    const [answer] = await withoutSorting(db, (tx) => step(tx, next));
    if (answer === undefined) return keys;
    keys.push(...unpack(answer.rows));
    if (answer.end === null) return keys;
    // The embedded database never yields the thread by itself; others wait for it too.
    await setImmediate();
    const [at, id] = answer.end;
    after = { at: typeof at === 'string' ? new Date(at) : at, id };
  }
}

/** The matches of one step, and where it ended; null when there are enough, or nothing comes after. */
function step(tx: Tx, wanted: OrderedQuery) {
  const { table, at, scope, after, limit } = wanted;
  const where = and(sql`true`, scope, behind(at, table.id, after));
  const order = sql`${desc(at)}, ${desc(table.id)}`;
  const rows = sql`(select * from ${table} where ${where} order by ${order} limit ${STEP})`;
  const end = sql`select json_build_array(${at}, ${table.id}) from ${table} where ${where} order by ${order}
    offset ${STEP - 1} limit 1`;
  return tx
    .select({
      rows: sql<Packed>`rows`,
      end: sql<
        [at: string | number, id: string] | null
      >`case when json_array_length(rows) < ${limit} then (${end}) end`,
    })
    .from(sql`(select (${packed(wanted, rows)}) as rows) step`);
}

/** For statements that read the beginning of an index: without statistics a planner would rather read and sort all rows. */
export function withoutSorting<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_sort = off`);
    return work(tx);
  });
}
