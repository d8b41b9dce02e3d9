import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { MIGRATIONS, type Queries } from '../platform/database/migrate.ts';

const NAMES = readdirSync(MIGRATIONS)
  .filter((file) => file.endsWith('.sql'))
  .toSorted();
/** Every migration that was shipped, the first one first. */
export const SHIPPED = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map((migration, at) => ({
  ...migration,
  name: parse(NAMES[at] ?? '').name,
}));

/** Brings a database from the version before to that of a migration, with the functions that migrations had then. */
export async function bringTo({ executeSql }: Queries, { sql, hash, folderMillis }: (typeof SHIPPED)[number]) {
  await executeSql(
    `create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
    [],
  );
  for (const statement of sql) await executeSql(statement, []);
  await executeSql(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${folderMillis})`,
    [],
  );
}

/** Everything that migrations and functions make. */
export const SCHEMA = `
  select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, generation_expression) as made
    from information_schema.columns where table_schema = 'public'
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  union all select pg_get_triggerdef(oid) from pg_trigger
    where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all select pg_get_functiondef(oid) from pg_proc where proname like 'atelier%'
  order by 1`;
