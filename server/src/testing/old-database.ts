import type { PGlite } from '@electric-sql/pglite';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { MIGRATIONS } from '../platform/database/migrate.ts';

/** Every migration that was shipped, the first one first. */
export const SHIPPED = readMigrationFiles({ migrationsFolder: MIGRATIONS });

/** Brings an embedded database from the version before to that of a migration, with the functions that migrations had then. */
export async function bringTo(pglite: PGlite, { sql, hash, folderMillis }: (typeof SHIPPED)[number]): Promise<void> {
  await pglite.exec(`create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`);
  for (const statement of sql) await pglite.exec(statement);
  await pglite.exec(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${folderMillis})`);
}
