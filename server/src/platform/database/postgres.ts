import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Log } from '../log.ts';
import type { Database, Db } from './database.ts';
import { createTransactionGuard } from './guard.ts';
import { hasData, MIGRATIONS, pendingMigrations } from './migrate.ts';
import { createListener } from './postgres-listener.ts';

const OLDEST_MAJOR = 15;
const CONNECT_TIMEOUT_MS = 10_000;
/** Any number that no other program's advisory lock uses. */
const MIGRATION_LOCK = 4_715_023_118;

/** Opens a PostgreSQL server by its URL and migrates it; several processes may do so at once, one migrates. */
export async function openPostgres(url: string, log: Log): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, max: 20, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  pool.on('error', (error) => log.error('database.connection', error));
  const database = wrapPool(pool, url, log);
  try {
    await checkVersion(database);
    await migratePool(pool, database, log);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function checkVersion(database: Database): Promise<void> {
  const { rows } = await database.executeSql('show server_version_num', []);
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (major < OLDEST_MAJOR) {
    throw new Error(`DATABASE_URL leads to PostgreSQL ${major}; version ${OLDEST_MAJOR} or newer is needed.`);
  }
}

async function migratePool(pool: pg.Pool, database: Database, log: Log): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const pending = await pendingMigrations(database);
    if (pending.length === 0) return;
    if (await hasData(database)) {
      log.info('database.migrating', {
        migrations: pending,
        back: 'Each migration is one transaction and rolls back whole. To go back to an older version later, restore a dump made before this start.',
      });
    }
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    client.release();
  }
}

function wrapPool(pool: pg.Pool, url: string, log: Log): Database {
  const guard = createTransactionGuard();
  const listener = createListener(url, log);
  return {
    kind: 'postgres',
    db: guard.wrap(drizzle(pool) as unknown as Db),
    executeSql: async (text, values) => {
      guard.check();
      // Several statements without values answer one result each.
      const results: pg.QueryResult | pg.QueryResult[] = await pool.query(text, values);
      return { rows: Array.isArray(results) ? results.flatMap((result) => result.rows) : results.rows };
    },
    listen: listener.listen,
    // Its disk is its own; what it refuses for want of room rolls back whole.
    hasRoom: async () => true,
    ping: async () => void (await pool.query('select 1')),
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}
