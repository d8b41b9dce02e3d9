import { eq, isNull, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { memories } from '../../features/memory/memory.table.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { closing } from '../../testing/lifetimes.ts';
import { findInOrder, type OrderedQuery } from './find-in-order.ts';
import { ofOwner } from './text-search.ts';

/** So many memories of each of two people that they take several steps; the database has no statistics of them. */
const MANY = 10_000;
const AGENT = '00000000-0000-7000-8000-000000000001';
/** A made session of every fiftieth, so that joins and filters have something to do. */
const FILL = `
  with agent as (insert into agents (user_id, id, slug, name, prompt, model, temperature, memory_enabled)
    values ($1, '${AGENT}', 'a', 'A', 'p', 'offline', 0.5, true)),
  session as (insert into chat_sessions (user_id, id, agent_id, name) values ($1, '${AGENT}', '${AGENT}', 's'))
  insert into memories (user_id, id, agent_id, session_id, kind, text, version, created_at, forgotten_at)
  select $1, gen_random_uuid(), '${AGENT}', '${AGENT}', 'person',
    concat_ws(' ', 'The commonest word,', case when i % 1000 = 7 then 'zanzibar' end, case when i < 3000 then 'longago' end, 'turn', i),
    1, timestamptz '2026-01-01' + interval '1 minute' * (i / 3), case when i % 10 = 1 then now() end
  from generate_series(1, ${MANY}) i`;

const database = await closing(openTestDatabase());
for (const uid of ['ada', 'bob']) {
  await database.executeSql('insert into "user" (id, name, email) values ($1, $1, $1)', [uid]);
  await database.executeSql(FILL, [uid]);
}

const wanted = (words: string[], limit = 60): OrderedQuery => ({
  table: memories,
  at: memories.createdAt,
  scope: eq(memories.userId, 'ada'),
  keep: isNull(memories.forgottenAt),
  words,
  mark: ofOwner('ada'),
  limit,
});

/** The same by reading everything. */
async function plainly(like: string, limit = 60) {
  const { rows } = await database.executeSql(
    `select id from memories where user_id = 'ada' and forgotten_at is null and text ~* $1
     order by created_at desc, id desc limit ${limit}`,
    [like],
  );
  return rows.map((row) => row.id);
}

/** What is found, and how many rows of the table were looked at. */
async function lookedAt(search: OrderedQuery) {
  return database.db.transaction(async (tx) => {
    const read = async () => {
      const [row] = await tx
        .select({ n: sql`seq_tup_read + idx_tup_fetch`.mapWith(Number) })
        .from(sql`pg_stat_xact_user_tables`)
        .where(sql`relname = 'memories'`);
      return row?.n ?? Number.NaN;
    };
    const before = await read();
    const found = await findInOrder(tx, search);
    return { ids: found.map(({ id }) => id), looked: (await read()) - before };
  });
}

test.each([
  ['a rare word', ['zanzibar'], 'zanzibar', 100],
  ['a rare word and a letter', ['zanzibar', 'w'], 'zanzibar', 100],
  ['the commonest word', ['commonest'], 'commonest', 2_500],
  ['one letter', ['w'], 'word', 500],
  ['the commonest word and one more', ['commonest', 'turn'], 'turn', 2_500],
  ['no word at all', [], '.', 500],
])('%s is found newest first, by looking at few rows', async (_, words, like, most) => {
  const { ids, looked } = await lookedAt(wanted(words));
  expect(ids).toEqual(await plainly(like));
  expect(looked).toBeLessThan(most);
});

test('what many rows hold, and only old ones, is found in steps', async () => {
  expect((await findInOrder(database.db, wanted(['longago']))).map(({ id }) => id)).toEqual(await plainly('longago'));
});

test('pages follow each other without a gap, where many are of the same moment too', async () => {
  const ids: string[] = [];
  let after: OrderedQuery['after'];
  for (;;) {
    const page = await findInOrder(database.db, { ...wanted(['commonest'], 2_000), after });
    ids.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined) break;
    const { rows } = await database.executeSql('select created_at from memories where id = $1', [last.id]);
    after = { id: last.id, at: rows[0]?.created_at as Date };
  }
  expect(ids).toEqual(await plainly('.', MANY));
  expect(ids).toHaveLength(MANY - MANY / 10);
});

test('words that no text is searched for find nothing', async () => {
  expect(await findInOrder(database.db, wanted(['the']))).toEqual([]);
  expect(await findInOrder(database.db, wanted(['of', 'bob']))).toEqual([]);
});
