import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { borrowTestDatabase } from '../../testing/database.ts';
import { effort } from '../../testing/effort.ts';
import { bringTo, SHIPPED } from '../../testing/old-database.ts';
import { migrate, pendingMigrations, type Queries } from './migrate.ts';

/** By day the first, those around larger changes, and the last that another one follows. */
const TRIED: number[] = effort([0, 12, 19, 29, 37, SHIPPED.length - 2], [...SHIPPED.keys()].slice(0, -1));
/** This migration asks for each grant once more. */
const REGRANTED = 17;
const ID = '00000000-0000-7000-8000-000000000000';

/** Everything that migrations and functions make. */
const SCHEMA = `
  select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, generation_expression) as made
    from information_schema.columns where table_schema = 'public'
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  union all select pg_get_triggerdef(oid) from pg_trigger
    where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all select pg_get_functiondef(oid) from pg_proc where proname like 'atelier%'
  order by 1`;

/** Gives each table that is empty one row, with as little as it may have; what hangs together has the same ids. */
const FILL = `do $$
  declare
    name text;
    filled boolean;
    columns text;
    row_values text;
  begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('select exists (select from %I)', name) into filled;
      continue when filled;
      select string_agg(quote_ident(column_name), ', '), string_agg(case
          when column_name in ('user_id', 'creator_id') or (name = 'user' and column_name = 'id') then '''ada'''
          when column_name = 'status' then '''done'''
          when data_type = 'text' then quote_literal(column_name)
          when data_type = 'uuid' then '''${ID}'''
          when data_type = 'ARRAY' then '''{}'''
          when data_type = 'jsonb' then '''[]'''
          when data_type = 'boolean' then 'true'
          when data_type = 'bytea' then '''\\x00'''
          when data_type like 'time%' then '''2026-01-01'''
          else '1' end, ', ')
        into columns, row_values from information_schema.columns
        where table_schema = 'public' and table_name = name and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER';
      execute format('insert into %I (%s) values (%s)', name, columns, row_values);
    end loop;
  end
$$`;

/** An exchange as the server of each version stores it, after those before it. */
const exchange = (number: number) => `
  insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, created_at)
    select 'ada', gen_random_uuid(), session_id, agent_id, agent_name, 'Question ${number}', 'Answer', 'done', model,
      created_at + interval '${number + 1} minutes' from tasks where id = '${ID}'`;

/** What a message in the old session would be answered with. */
const TALK = `
  select json_array_length(atelier_run_context(_uid => 'ada', _agent => '${ID}', _session => '${ID}', _scope => 'agent', _withheld => '{}',
    _with_summary => false, _exchanges => 99, _pins => 9, _facts => 9)->'history') as exchanges`;

const ROWS = `select json_object_agg(tablename, (xpath('//n/text()', query_to_xml(format('select count(*) as n from %I', tablename), true, true, '')))[1]::text)
  as counted from pg_tables where schemaname = 'public'`;

let pglite: PGlite;
let fresh: unknown[];

beforeAll(async () => {
  const template = await borrowTestDatabase();
  fresh = (await template.executeSql(SCHEMA)).rows;
  await template.close();
  pglite = await PGlite.create();
});
afterAll(() => pglite.close());

test('a folder of every version that was shipped is brought up to date with its rows', async () => {
  const db = drizzle(pglite);
  const undone = new Error('undone');
  for (const [at, migration] of SHIPPED.entries()) {
    await bringTo(pglite, migration);
    await pglite.exec(FILL);
    await pglite.exec(exchange(at));
    if (!TRIED.includes(at)) continue;
    // Undone afterwards, so that the next version begins where its predecessor ended.
    const trial = db.transaction(async (tx) => {
      const queries: Queries = { executeSql: async (text) => tx.execute(sql.raw(text)) };
      const ask = async (text: string) => (await queries.executeSql(text)).rows;
      const before = (await ask(ROWS))[0]?.counted as object;
      const gone = at < REGRANTED ? { tool_grants: '0' } : {};
      await migrate(tx);
      await ask('set constraints all immediate');
      expect(await pendingMigrations(queries)).toEqual([]);
      expect(await ask(SCHEMA), `from ${at}`).toEqual(fresh);
      expect((await ask(ROWS))[0]?.counted, `from ${at}`).toMatchObject({ ...before, ...gone });
      expect(await ask(TALK), `from ${at}`).toEqual([{ exchanges: at + 2 }]);
      throw undone;
    });
    await expect(trial).rejects.toBe(undone);
  }
});
