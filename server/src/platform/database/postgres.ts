import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { portablePostgres } from '../backup/portable.ts';
import type { Log } from '../log.ts';
import { outageOf } from '../outage.ts';
import { bringUpToDate, type Start } from './bring-up-to-date.ts';
import type { Database, Db } from './database.ts';
import { UNFINISHED_MOVE } from './folder/data-folder.ts';
import { createTransactionGuard } from './guard.ts';
import type { Queries } from './migrate.ts';
import { createListener } from './postgres-listener.ts';

const OLDEST_MAJOR = 15;
/** So many connections stay open: each new one takes work on both sides, which a burst of requests would wait for. */
const STAYING = 10;
/** Makes a statement about every table. */
const ABOUT_EVERY_TABLE = `
  select 'explain select ' || string_agg(format('exists (select from %s)', oid::regclass), ', ') as statement
  from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`;
/** How long a request waits for a connection, new or returned. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that vanished doesn't answer; this is far longer than any of our statements. */
const STATEMENT_TIMEOUT_MS = 60_000;
const START_RETRY_MS = 500;
const REMIND_MS = 30_000;
/** The usual data folder. */
const NOWHERE = { folder: 'data' };
/** Any number that no other program's advisory lock uses. */
export const MIGRATION_LOCK = 4_715_023_118;
/** A schema that exists until the move into its database has ended. */
export const MOVING = 'atelier_moving';

/**
 * Opens a PostgreSQL server by its URL and migrates it. Of several processes one migrates. Waits, and says so, while the server can't be
 * reached; throws a sentence when waiting would not help.
 */
export async function openPostgres(url: string, log: Log, start: Omit<Start, 'log'> = NOWHERE): Promise<Database> {
  let reminded = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      await migrateServer(url, { log, ...start });
      return connect(url, log);
    } catch (error) {
      if (isRefusal(error)) {
        const next = 'Check the user, the password and the name of the database in DATABASE_URL.';
        throw new Error(`PostgreSQL at ${placeOf(url)} refused: ${reasonOf(error)}. ${next}`, { cause: error });
      }
      if (outageOf(error) === null) throw error;
      if (Date.now() - reminded >= REMIND_MS) {
        log.info('database.waiting', { for: `PostgreSQL at ${placeOf(url)}`, because: reasonOf(error) });
        reminded = Date.now();
      }
      await pause(START_RETRY_MS);
    }
  }
}

/** Wrong credentials, or no such database. */
const isRefusal = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(?:28|3D)/u.test(String(error.code));

/** Host, port and database, without name and password. */
export function placeOf(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url });
  return `${host}:${port}/${database}`;
}

export const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);

/** On its own connection: waiting for another process's migration may take longer than a request may. */
async function migrateServer(url: string, start: Start): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true });
  client.on('error', (error) => start.log.error('database.connection', error));
  try {
    await client.connect();
    const database = portablePostgres(client);
    await checkPlace(database);
    // Closing the connection releases the lock.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await bringUpToDate(database, start);
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkPlace(database: Queries): Promise<void> {
  const { rows } = await database.executeSql(
    `select current_setting('server_version_num') as version, to_regnamespace('${MOVING}') is not null as arriving`,
    [],
  );
  if (rows[0]?.arriving === true) throw new Error(UNFINISHED_MOVE);
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major < OLDEST_MAJOR) {
    throw new Error(`DATABASE_URL leads to PostgreSQL ${major}; version ${OLDEST_MAJOR} or newer is needed.`);
  }
}

function connect(url: string, log: Log): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    min: STAYING,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  });
  pool.on('error', (error) => log.error('database.connection', error));
  // The pool listens only to idle connections: a break of one in use would end the process. Its statement rejects anyway.
  pool.on('connect', (client) => client.on('error', () => {}));
  const guard = createTransactionGuard();
  const listener = createListener(url, log);
  return {
    kind: 'postgres',
    db: guard.wrap(openDrizzle(pool)),
    executeSql: async (text, values) => {
      guard.check();
      // Several statements without parameters return one result each.
      const results: pg.QueryResult | pg.QueryResult[] = await pool.query(text, values);
      return { rows: Array.isArray(results) ? results.flatMap((result) => result.rows) : results.rows };
    },
    listen: listener.listen,
    // Its disk is its own affair; what it refuses for lack of room rolls back completely.
    hasRoom: async () => true,
    ping: async () => void (await pool.query('select 1')),
    warmUp: async () => {
      const { rows } = await pool.query<{ statement: string }>(ABOUT_EVERY_TABLE);
      const { statement } = rows[0] ?? { statement: 'select 1' };
      // All at once, so that each has a connection of its own.
      await Promise.all(Array.from({ length: STAYING }, () => pool.query(statement)));
    },
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

/**
 * Drizzle on a pool. Drizzle's own transaction keeps the connection forever when `begin` fails, and returns a broken one as if it were
 * good. Here each connection is returned exactly once, and a broken one is dropped.
 */
function openDrizzle(pool: pg.Pool): Db {
  const db = drizzle(pool) as unknown as Db;
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    let broken = false;
    try {
      return await (drizzle(client) as unknown as Db).transaction(work, config);
    } catch (error) {
      // After a rollback the connection is good again; when the rollback failed, its error arrived here.
      broken = outageOf(error) !== null;
      throw error;
    } finally {
      client.release(broken);
    }
  };
  return db;
}
