import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { expect, test } from 'vitest';
import { effort, isNightly } from '../../testing/effort.ts';
import { temporaryFolder } from '../../testing/lifetimes.ts';
import { bringTo, SCHEMA, SHIPPED } from '../../testing/old-database.ts';
import { startOwnPostgres } from '../../testing/own-postgres.ts';
import { type Portable, portablePglite, portablePostgres } from '../backup/portable.ts';
import { upgrade } from '../backup/upgrade.ts';
import { silentLog } from '../log.ts';
import { bringUp, pendingMigrations, touchedBy } from './migrate.ts';

/** By day the first, one with many rows of each kind, and the last that another one follows. */
const TRIED: number[] = effort([0, 29, SHIPPED.length - 2], [...SHIPPED.keys()].slice(0, -1));
/** Two more follow this one. */
const TWO_FOLLOW = SHIPPED.length - 3;
/** This migration asks for each grant once more. */
const REGRANTED = 17;
/** Sums of days are added up again from the ledger. */
const SUMMED = 54;
const ID = '00000000-0000-7000-8000-000000000000';

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
          when data_type like 'time%' or data_type = 'date' then '''2026-01-01'''
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

const { folder } = temporaryFolder('upgrades');

const backups = () => readdirSync(join(folder, 'backups'));

async function openPostgres(): Promise<Portable> {
  const server = await startOwnPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  return { ...portablePostgres(client), close: () => client.end().then(server.stop) };
}

/** The same database in a transaction that is undone later, so that the next version begins where its predecessor ended. */
function within(database: Portable): Portable {
  const steps = new Map([
    ['begin', 'savepoint upgrade'],
    ['commit', 'release savepoint upgrade'],
    ['rollback', 'rollback to savepoint upgrade'],
  ]);
  return { ...database, executeSql: (text, values) => database.executeSql(steps.get(text) ?? text, values) };
}

/** The same database, at whose nth step from the first migration on something else happens before. */
function atStep(database: Portable, nth: number, happen: () => Promise<void>): Portable {
  let step = Number.NEGATIVE_INFINITY;
  return {
    ...database,
    executeSql: async (text, values) => {
      if (text.startsWith('create table if not exists drizzle.')) step = 0;
      else if ((step += 1) === nth) await happen();
      return database.executeSql(text, values);
    },
  };
}

const fail = () => Promise.reject(new Error('the power is gone'));

/** Each of the two migrations that follow changes a table without naming it. */
async function tryUnnamed(inside: Portable) {
  const names = async () => (await inside.executeSql('select name from agents', [])).rows;
  const before = await names();
  const spoil = async () => void (await inside.executeSql(`update agents set name = 'Another'`, []));
  for (const [at, { name }] of SHIPPED.slice(-2).entries()) {
    const spoilt = atStep(inside, SHIPPED.at(-2)!.sql.length + 1 + at, spoil);
    await expect(upgrade(spoilt, { folder, log: silentLog })).rejects.toThrow(
      `The migration ${name} changed the table “agents”, which it doesn’t name: some of its rows are others. It was rolled back whole, so nothing was changed. Start the version whose last migration is ${SHIPPED.at(-3)?.name}`,
    );
    expect(await names()).toEqual(before);
  }
}

/** Fails at steps of the next migration, which leaves the database as it was, and then brings it up to date with its rows. */
async function tryUpgrade(inside: Portable, at: number, fresh: object[]) {
  const ask = async (text: string) => (await inside.executeSql(text, [])).rows;
  const stateOf = async () => [await ask(SCHEMA), (await ask(ROWS))[0]?.counted as object] as const;
  const before = await stateOf();
  const made = existsSync(join(folder, 'backups')) ? backups().length : 0;
  // The statements of the next migration, its note, the commit and what follows them.
  const steps = (SHIPPED[at + 1]?.sql.length ?? 0) + 1;
  for (const step of effort(
    [Math.ceil(steps / 2)],
    Array.from({ length: steps }, (_, nth) => nth + 1),
  )) {
    const failing = upgrade(atStep(inside, step, fail), { folder, log: silentLog });
    await expect(failing, `${at}, step ${step}`).rejects.toThrow('It was rolled back whole, so nothing was changed.');
    expect(await stateOf()).toEqual(before);
  }
  await upgrade(inside, { folder, log: silentLog });
  expect(backups().length).toBeLessThanOrEqual(Math.min(made + 1, 3));
  const gone = { ...(at < REGRANTED && { tool_grants: '0' }), ...(at < SUMMED && { token_totals: '0' }) };
  await ask('set constraints all immediate');
  expect((await pendingMigrations(inside)).names).toEqual([]);
  expect(await ask(SCHEMA), `from ${at}`).toEqual(fresh);
  expect((await ask(ROWS))[0]?.counted, `from ${at}`).toMatchObject({ ...before[1], ...gone });
  expect(await ask(TALK), `from ${at}`).toEqual([{ exchanges: at + 2 }]);
}

test.each([
  ['embedded', async () => portablePglite(await PGlite.create())] as const,
  ...(isNightly ? [['on PostgreSQL', openPostgres] as const] : []),
])(
  'an installation of every version that was shipped, %s, is brought up to date with its rows, or stays as it was, also where a migration changes a table that it doesn’t name',
  { timeout: effort(300_000, 3_600_000) },
  async (_, open) => {
    const database = await open();
    const ask = async (text: string) => (await database.executeSql(text, [])).rows;
    await ask('begin');
    await bringUp(database);
    const fresh = await ask(SCHEMA);
    await ask('rollback');
    for (const [at, migration] of SHIPPED.entries()) {
      await bringTo(database, migration);
      await database.executeSql(FILL, []);
      await database.executeSql(exchange(at), []);
      await ask('begin');
      const inside = within(database);
      if (at === TWO_FOLLOW) await tryUnnamed(inside);
      if (TRIED.includes(at)) await tryUpgrade(inside, at, fresh);
      await ask('rollback');
    }
    await database.close();
  },
);

test('the words of a migration say which tables it touches', () => {
  expect([
    ...touchedBy([
      '-- touches one, two\nSELECT 1',
      'ALTER TABLE "kept" ADD COLUMN "x" text;',
      'ALTER TABLE "cut" DROP COLUMN "x";',
      'CREATE FUNCTION f() AS $$ DELETE FROM later $$',
      'DELETE FROM "gone" USING "other"',
      'UPDATE ONLY public."changed" SET x = 1',
      'DO $$ BEGIN INSERT INTO filled(x) VALUES (1); END $$',
      'ALTER TABLE "tied" ADD FOREIGN KEY (x) REFERENCES y ON DELETE cascade ON UPDATE no action',
      'DROP TABLE IF EXISTS "dropped"',
    ]),
  ]).toEqual(['one', 'two', 'cut', 'gone', 'changed', 'filled', 'no', 'dropped']);
});
