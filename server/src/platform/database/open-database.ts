import type { Config } from '../../config.ts';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './pglite.ts';
import { openPostgres } from './postgres.ts';

/**
 * Opens and migrates the configured database; returns it with the secret that signs sessions. Throws one sentence for the operator on
 * failure.
 */
export async function openDatabase(options: {
  config: Config;
  log: Log;
}): Promise<{ database: Database; secret: string }> {
  const { DATABASE_URL, DATA_DIR, AUTH_SECRET } = options.config;
  if (DATABASE_URL === undefined) {
    const { database, secret } = await openEmbedded(DATA_DIR, options.log);
    return { database, secret: AUTH_SECRET ?? secret };
  }
  if (AUTH_SECRET === undefined) {
    throw new Error('With DATABASE_URL, AUTH_SECRET is required: 32 random characters, the same for every process.');
  }
  return { database: await openPostgres(DATABASE_URL, options.log), secret: AUTH_SECRET };
}
