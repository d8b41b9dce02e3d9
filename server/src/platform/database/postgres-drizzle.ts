import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { outageOf } from '../outage.ts';
import type { Db } from './database.ts';

/**
 * Drizzle on a pool. Drizzle's own transaction keeps the connection forever when `begin` fails, and returns a broken one as if it were
 * good. Here each connection is returned exactly once, and a broken one is dropped.
 */
export function openDrizzle(pool: pg.Pool): Db {
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
