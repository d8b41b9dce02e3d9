import type { Config } from '../../config.ts';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

export interface OpenedDatabase {
  database: Database;
  /** What signs and encrypts, see `secretsOf`; the first one writes, all of them read. */
  secrets: string[];
}

/**
 * Opens and migrates the configured database; returns it with the installation's secrets. Throws one sentence for the operator on failure.
 */
export async function openDatabase(options: { config: Config; log: Log }): Promise<OpenedDatabase> {
  const { DATABASE_URL, DATA_DIR, AUTH_SECRET, AUTH_SECRET_OLD } = options.config;
  const given = AUTH_SECRET === undefined ? [] : [AUTH_SECRET];
  if (DATABASE_URL === undefined) {
    const { openEmbedded } = await import('./pglite.ts');
    const { database, secrets } = await openEmbedded(DATA_DIR, options.log, { hasSecret: given.length > 0 });
    return { database, secrets: [...given, ...secrets, ...AUTH_SECRET_OLD] };
  }
  if (given.length === 0) {
    throw new Error('With DATABASE_URL, AUTH_SECRET is required: 32 random characters, the same for every process.');
  }
  const { openPostgres } = await import('./postgres.ts');
  return { database: await openPostgres(DATABASE_URL, options.log), secrets: [...given, ...AUTH_SECRET_OLD] };
}
