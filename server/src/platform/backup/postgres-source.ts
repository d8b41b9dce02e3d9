import pg from 'pg';
import { reasonOf } from '../database/postgres.ts';
import { Busy } from './backup-folder.ts';
import { type Portable, portablePostgres, SAME_TEXT } from './portable.ts';

/** Any numbers that no other program's advisory locks use: while the database is read, and while backups are written into a folder. */
const BACKUP_LOCK = 4_715_023_119;
const FOLDER_LOCK = 4_715_023_120;

/** Connects to a PostgreSQL server; throws a sentence for the operator. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true });
  // Its statement rejects anyway.
  client.on('error', () => {});
  await client.connect().catch((cause: unknown) => {
    throw new Error(`PostgreSQL at ${client.host}:${client.port} can’t be reached: ${reasonOf(cause)}.`, { cause });
  });
  await client.query(SAME_TEXT);
  return client;
}

async function connectAlone(url: string, lock: number): Promise<pg.Client> {
  const client = await connectPostgres(url);
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(${lock}) as locked`);
    if (rows[0]?.locked !== true) throw new Busy();
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Has one machine at a time back up a database into a folder, until it is called back. Throws `Busy`. */
export async function lockFolderOf(url: string): Promise<() => Promise<void>> {
  const client = await connectAlone(url, FOLDER_LOCK);
  return () => client.end();
}

/** A PostgreSQL database as it is at this moment, while others go on writing; `close` ends that. Throws while another backup is made. */
export async function openSnapshot(url: string): Promise<Portable> {
  const client = await connectAlone(url, BACKUP_LOCK);
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows: tables } = await client.query(`select to_regclass('drizzle.__drizzle_migrations')::text as found`);
    if (tables[0]?.found === null)
      throw new Error('The database at DATABASE_URL is empty: there is nothing to back up.');
    return portablePostgres(client);
  } catch (error) {
    await client.end();
    throw error;
  }
}
