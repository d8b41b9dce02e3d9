import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { afterAll, expect, it } from 'vitest';
import { openEmbeddedTestDatabase } from '../../testing/database.ts';
import { PARSERS } from './pglite-parsers.ts';

const { database, pglite } = await openEmbeddedTestDatabase();
afterAll(() => database.close());
const { db } = database;
await pglite.exec(`create table marks (id int primary key, name text)`);

const VALUES = {
  text: sql<string>`'It’s “x”'::text`,
  number: sql<number>`12345678901::bigint`,
  flag: sql<boolean>`true`,
  none: sql<null>`null::text`,
  list: sql<string[]>`array['a', 'b,c']`,
  json: sql<object>`json_build_object('a', 1)`,
  time: sql<string>`'2026-03-04 05:06:07.89+00'::timestamptz`,
  bytes: sql<Buffer>`'\\x00ff'::bytea`,
  given: sql<string>`${sql.placeholder('given')}::text`,
  ids: sql<number>`cardinality(${sql.placeholder('ids')}::uuid[])`,
};
const ID = '01a20157-341f-74b6-8c97-8edb6fde880b';
const rows = sql`(values (1)) as one(n)`;

it('gives of a named statement what it gives of one that is not', async () => {
  const query = db.select(VALUES).from(rows);
  const held = async () =>
    (await pglite.query(`select 1 from pg_prepared_statements where statement like '%cardinality%'`)).rows.length;
  const asked = ["it's; --", null].map((given) => ({ given, ids: `{${ID},${ID}}` }));
  const unnamed = query.prepare('');
  const plain = [await unnamed.execute(asked[0]), await unnamed.execute(asked[1])];
  expect(await held()).toBe(0);
  const named = query.prepare('values');
  expect([await named.execute(asked[0]), await named.execute(asked[1])]).toEqual(plain);
  expect(await held()).toBe(1);
  expect(plain[0]?.[0]).toMatchObject({ given: "it's; --", ids: 2, none: null, list: ['a', 'b,c'], json: { a: 1 } });
  expect(plain[1]?.[0]).toMatchObject({ given: null, time: '2026-03-04 05:06:07.89+00', number: 12_345_678_901 });
});

it('plans what is named once, and goes on after an error', async () => {
  const named = db
    .select({ n: sql<number>`1 / ${sql.placeholder('by')}::int` })
    .from(rows)
    .prepare('divide');
  await expect(named.execute({ by: 0 })).rejects.toMatchObject({ cause: { code: '22012' } });
  expect(await named.execute({ by: 1 })).toEqual([{ n: 1 }]);
  const wrong = db.select({ n: sql<number>`no_such_column` }).from(rows).prepare('wrong');
  for (const _ of [1, 2]) await expect(wrong.execute()).rejects.toMatchObject({ cause: { code: '42703' } });
  expect(await named.execute({ by: 1 })).toEqual([{ n: 1 }]);
});

it('waits for an open transaction rather than read within it', async () => {
  const named = db.select({ n: sql<number>`count(*)::int` }).from(sql`marks`).prepare('marks');
  expect(await named.execute()).toEqual([{ n: 0 }]);
  let asked: Promise<unknown> | undefined;
  await expect(
    pglite.transaction(async (tx) => {
      await tx.query(`insert into marks values (1, 'a')`);
      asked = named.execute();
      await tx.query('select 1');
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await asked).toEqual([{ n: 0 }]);
});

it('reads times as the driver of PostgreSQL does in plain SQL', async () => {
  const text = `select '2026-03-04 05:06:07.89+00'::timestamptz as at, null::timestamptz as never, 'x' as name`;
  const expected = [{ at: new Date('2026-03-04T05:06:07.890Z'), never: null, name: 'x' }];
  expect((await database.executeSql(text)).rows).toEqual(expected);
  expect((await database.executeSql(`${text} where $1 = 1`, [1])).rows).toEqual(expected);
});

it('knows every parser that Drizzle brings', async () => {
  const brought: object[] = [];
  const client = {
    query: async (_text: string, _values: unknown[], options: { parsers: object }) => {
      brought.push(options.parsers);
      return { rows: [], fields: [] };
    },
  };
  const bare = drizzle(client as unknown as PGlite);
  await bare.select(VALUES).from(rows).prepare('').execute({ given: '', ids: '{}' });
  await bare.execute(sql`select 1`);
  expect(brought).toHaveLength(2);
  for (const parsers of brought) {
    for (const [type, parse] of Object.entries(parsers)) {
      expect(PARSERS[Number(type)]?.('x')).toBe(parse('x'));
    }
  }
});
