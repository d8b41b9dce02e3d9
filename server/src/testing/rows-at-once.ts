import type { TestApp } from './harness.ts';

/** Notes how many rows each statement deletes from, or changes in, these tables. */
export async function noteRowsAtOnce({ deps }: TestApp, tables: readonly string[]) {
  const { executeSql } = deps.database;
  const noted = (table: string, change: string, rows: string) =>
    `create trigger noted_${change} after ${change} on ${table} referencing ${rows} table as rows_of_it for each statement execute function note_at_once();`;
  await executeSql(
    `create table at_once (name text, n int);
     create function note_at_once() returns trigger language plpgsql as $$ begin
       insert into at_once select tg_table_name, count(*) from rows_of_it; return null; end $$;
     ${tables.map((table) => noted(table, 'delete', 'old') + noted(table, 'update', 'new')).join('\n')}`,
  );
  return {
    /** The most of one statement, and all together, by table. */
    most: async () =>
      (await executeSql('select name, max(n) as n, sum(n)::int as total from at_once group by name order by name', []))
        .rows,
    stop: () => executeSql('drop table at_once; drop function note_at_once() cascade'),
  };
}
