import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit-cli/api';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgColumnBuilder, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/database.ts';
import { closing } from '../../testing/lifetimes.ts';
import {
  bringUp,
  FailedMigration,
  hashOfFunctions,
  JOBS_SCHEMA,
  MIGRATIONS,
  pendingMigrations,
  readFunctions,
} from './migrate.ts';
import { declared, toColumns } from './sql-function.ts';

const database = await closing(openTestDatabase());
afterAll(() => {
  // drizzle-kit gives every array and text methods of its own, which make pdf.js refuse to read.
  for (const { prototype } of [Array, String]) {
    for (const name of Object.keys(prototype)) Reflect.deleteProperty(prototype, name);
  }
});

const FEATURES = fileURLToPath(new URL('../../features', import.meta.url));

const sources = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.ts$/u.test(file),
);

async function tables(): Promise<Record<string, unknown>> {
  const files = sources.filter((file) => file.endsWith('.table.ts'));
  const modules: Record<string, unknown>[] = await Promise.all(files.map((file) => import(join(FEATURES, file))));
  return Object.assign({}, ...modules);
}

test('the migrations hold every table as it stands in the code (npm run db:generate brings them up to date)', async () => {
  // The generator compares with the last snapshot only, so the others go.
  const [last = '', ...others] = readdirSync(join(MIGRATIONS, 'meta')).filter((file) => file !== '_journal.json');
  expect(others).toEqual([]);
  const recorded = JSON.parse(readFileSync(join(MIGRATIONS, 'meta', last), 'utf8'));
  expect(await generateMigration(recorded, generateDrizzleJson(await tables()))).toEqual([]);
});

test('a migration names the functions as they are (npm run db:generate -- --custom, with the line “-- functions HASH”)', () => {
  const files = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql'));
  const named = files.toSorted().flatMap((file) => {
    const [, hash] = /^-- functions (\w+)$/mu.exec(readFileSync(join(MIGRATIONS, file), 'utf8')) ?? [];
    return hash ?? [];
  });
  expect(named.at(-1)).toBe(hashOfFunctions());
});

test('every function and trigger of ours is in a file beside its feature', async () => {
  const { rows } = await database.executeSql(
    `select proname as name from pg_proc where proname like 'atelier%'
     union select tgname from pg_trigger where not tgisinternal and tgrelid::regclass::text not like 'pgboss.%' order by 1`,
  );
  const defined = readFunctions().flatMap(
    (statement) => /CREATE (?:OR REPLACE |CONSTRAINT )*\w+ (\w+)/u.exec(statement)?.[1] ?? [],
  );
  expect(rows.map(({ name }) => name)).toEqual(defined.toSorted());
});

test('calls name a declared function, whose arguments and rows have the names and types of the catalogue', async () => {
  const calling = sources.filter((file) => /\batelier_\w+['(]/u.test(readFileSync(join(FEATURES, file), 'utf8')));
  const undeclared = calling.filter((file) => /\batelier_\w+\(/u.test(readFileSync(join(FEATURES, file), 'utf8')));
  expect(undeclared).toEqual([]);
  await Promise.all(calling.map((file) => import(join(FEATURES, file))));
  const { rows } = await database.executeSql(`
    select p.proname as name, format_type(p.prorettype, null) as value,
      json_object_agg(a.name, format_type(a.type, null) order by a.place) filter (where a.mode is distinct from 't') as parameters,
      json_object_agg(a.name, format_type(a.type, null) order by a.place) filter (where a.mode = 't') as row
    from pg_proc p cross join lateral unnest(p.proargnames, coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes)
      with ordinality as a(name, type, mode, place)
    where p.proname like 'atelier%' group by p.oid`);
  const catalogue = new Map(
    rows.map(({ name, parameters, row, value }) => [name, { parameters, returns: row ?? value }]),
  );
  expect(declared.length).toBeGreaterThan(9);
  for (const { name, parameters, returns } of declared) {
    const types = Object.values(toColumns(parameters)).map((column) => [column.name, column.getSQLType()]);
    expect(catalogue.get(name), name).toEqual({ parameters: Object.fromEntries(types), returns: typesOf(returns) });
  }
});

/** A value's type, or those of a row by their names; of a table's row, its name. */
function typesOf(returns: (typeof declared)[number]['returns']): unknown {
  if (is(returns, PgColumnBuilder)) return Object.values(toColumns({ returns }))[0]?.getSQLType();
  return Object.fromEntries(
    Object.entries(returns).map(([key, of]) => [key, is(of, PgTable) ? getTableName(of) : typesOf(of)]),
  );
}

test('every column has the type of the catalogue, and is null only where the catalogue allows it', async () => {
  const { rows } = await database.executeSql(
    `select attrelid::regclass::text || '.' || attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required
     from pg_attribute where attnum > 0 and not attisdropped and attrelid in (select oid from pg_class where relkind = 'r')`,
  );
  const catalogue = new Map(rows.map(({ name, ...column }) => [String(name).replaceAll('"', ''), column]));
  for (const table of Object.values(await tables()).filter((one) => is(one, PgTable))) {
    for (const column of Object.values(getTableColumns(table))) {
      const name = `${getTableName(table)}.${column.name}`;
      const type = column.getSQLType().replace(' (', '(');
      expect(catalogue.get(name), name).toEqual({ type, required: column.notNull });
    }
  }
});

test('a migration that fails is named, with the names of its schema and no value of a row', () => {
  const fail = (message: string, code: string) => {
    const cause = Object.assign(new Error(message), { code, table: 'agents' });
    return new FailedMigration('0000_init', 'CREATE TABLE "agents" (\n', cause).message;
  };
  expect(fail('relation "agents" already exists', '42P07')).toBe(
    'The migration 0000_init failed: relation "agents" already exists (42P07), at “CREATE TABLE "agents" (”.',
  );
  expect(fail('could not create unique index: peanuts', '23505')).toContain(
    'The migration 0000_init failed: Error code=23505 table=agents, at',
  );
});

test('no statement of the migrations waits without end for others that use its table', async () => {
  const statements: string[] = [];
  const executeSql = async (text: string) => {
    statements.push(text);
    return { rows: [] };
  };
  await bringUp({ executeSql });
  expect(statements[0]).toBe(`set local lock_timeout = '30s'`);
  expect(statements).toEqual(expect.arrayContaining(readFunctions()));
});

test('nothing is pending once migrated', async () => {
  expect((await pendingMigrations(database)).names).toEqual([]);
});

test('every table of ours belongs to a user by its key, but those that decision 0003 names', async () => {
  const { rows } = await database.executeSql(
    `select t.table_name as name, k.column_name as first from information_schema.tables t
     left join information_schema.table_constraints c
       on c.table_schema = t.table_schema and c.table_name = t.table_name and c.constraint_type = 'PRIMARY KEY'
     left join information_schema.key_column_usage k
       on k.constraint_schema = c.constraint_schema and k.constraint_name = c.constraint_name and k.ordinal_position = 1
     where t.table_schema = 'public' order by 1`,
  );
  const exceptions = rows.filter((row) => row.first !== 'user_id').map((row) => row.name);
  expect(exceptions).toEqual([
    'account',
    'account_mails',
    'account_tokens',
    'audit_log',
    'contact_messages',
    'explore_tags',
    'invitations',
    'model_exclusions',
    'operator_tool_pins',
    'passkeys',
    'payments',
    'provider_uses',
    'rate_limit',
    'session',
    'settings',
    'token_totals',
    'two_factor',
    'user',
    'verification',
  ]);
});

test('payments from before there was a choice get the provider that took them', async () => {
  const migration = readFileSync(join(MIGRATIONS, '0018_payment_providers.sql'), 'utf8');
  const before = [
    'alter table payments drop column provider',
    'alter table payments rename column checkout_token to access_code',
    `insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.com')`,
    `insert into payments (reference, user_id, mode, state, access_code, amount, currency)
     select mode, 'ada', mode, 'open', 'code-' || mode, 1, 'ZAR' from unnest(array['live', 'sandbox', 'test']) mode`,
  ];
  for (const statement of [...before, ...migration.split('--> statement-breakpoint')]) {
    await database.executeSql(statement);
  }
  const { rows } = await database.executeSql('select mode, provider, checkout_token from payments order by mode');
  expect(rows).toEqual([
    { mode: 'live', provider: 'paystack', checkout_token: 'code-live' },
    { mode: 'sandbox', provider: 'sandbox', checkout_token: 'code-sandbox' },
    { mode: 'test', provider: 'paystack', checkout_token: 'code-test' },
  ]);
  await database.executeSql(`delete from "user" where id = 'ada'`);
});

test('of several accounts at one provider that a person linked, the oldest stays', async () => {
  const migration = readFileSync(join(MIGRATIONS, '0042_one_link_each.sql'), 'utf8');
  const before = [
    'drop index account_user_provider',
    'create index account_user on account (user_id)',
    `insert into "user" (id, name, email) select name, name, name || '@example.com' from unnest(array['ada', 'bob']) name`,
    `insert into account (id, account_id, provider_id, user_id, created_at)
     select id, id, provider, person, now() + make_interval(secs => late) from (values
       ('c', 'google', 'ada', 2), ('b', 'google', 'ada', 1), ('a', 'google', 'ada', 1),
       ('d', 'github', 'ada', 3), ('e', 'google', 'bob', 4)) as links (id, provider, person, late)`,
  ];
  for (const statement of [...before, ...migration.split('--> statement-breakpoint')]) {
    await database.executeSql(statement);
  }
  expect((await database.executeSql('select id from account order by id')).rows).toEqual([
    { id: 'a' },
    { id: 'd' },
    { id: 'e' },
  ]);
  await database.executeSql(`delete from "user" where id in ('ada', 'bob')`);
});

test('all times carry their zone and milliseconds', async () => {
  const { rows } = await database.executeSql(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and data_type like 'time%' and (data_type <> 'timestamp with time zone' or datetime_precision <> 3)`,
  );
  expect(rows).toEqual([]);
});

test('the schema of the jobs is the one that a backup is made before leaving', async () => {
  const { rows } = await database.executeSql('select version from pgboss.version');
  expect(rows).toEqual([{ version: JOBS_SCHEMA }]);
});

test('a database that a newer version migrated is refused in one sentence', async () => {
  await database.executeSql(
    `insert into drizzle.__drizzle_migrations (hash, created_at)
     select 'of a later version', max(created_at) + 1 from drizzle.__drizzle_migrations`,
  );
  await expect(pendingMigrations(database)).rejects.toThrow(/^The database was last used by a newer version.*$/);
  await database.executeSql(`delete from drizzle.__drizzle_migrations where hash = 'of a later version'`);
  await database.executeSql('update pgboss.version set version = version + 1');
  await expect(pendingMigrations(database)).rejects.toThrow(/newer version/);
  await database.executeSql('update pgboss.version set version = version - 1');
  expect((await pendingMigrations(database)).names).toEqual([]);
});
