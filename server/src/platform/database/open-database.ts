import type { Config } from '../../config.ts';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

export interface OpenedDatabase {
  database: Database;
  /** Signs sessions. */
  secret: string;
}

/**
 * Opens and migrates the configured database; returns it with the secret that signs sessions. Throws one sentence for the operator on
 * failure.
 */
export async function openDatabase(options: { config: Config; log: Log }): Promise<OpenedDatabase> {
  const { DATABASE_URL, DATA_DIR, AUTH_SECRET } = options.config;
  if (DATABASE_URL === undefined) {
    const { openEmbedded } = await import('./pglite.ts');
    const { database, secret } = await openEmbedded(DATA_DIR, options.log);
    return { database, secret: AUTH_SECRET ?? secret };
  }
  if (AUTH_SECRET === undefined) {
    throw new Error('With DATABASE_URL, AUTH_SECRET is required: 32 random characters, the same for every process.');
  }
  const { openPostgres } = await import('./postgres.ts');
  return { database: await openPostgres(DATABASE_URL, options.log), secret: AUTH_SECRET };
}
