import type { Config } from '../../config.ts';
import type { Log } from '../log.ts';
import { createStorage, filesPlace } from '../storage/storage.ts';
import type { Database } from './database.ts';

export interface OpenedDatabase {
  database: Database;
  /** What signs and encrypts, see `secretsOf`; the first one writes, all of them read. */
  secrets: string[];
}

/**
 * Opens and migrates the configured database; returns it with the installation's secrets. Throws one sentence for the operator on failure.
 */
export async function openDatabase(options: {
  config: Config;
  log: Log;
  /** False where older data must be refused. */
  mayUpgrade?: boolean;
}): Promise<OpenedDatabase> {
  const { DATABASE_URL, DATA_DIR, AUTH_SECRET, AUTH_SECRET_OLD } = options.config;
  const start = { files: filesPlace(options.config), mayUpgrade: options.mayUpgrade };
  const configured = AUTH_SECRET === undefined ? [] : [AUTH_SECRET];
  if (DATABASE_URL === undefined) {
    const { openEmbedded } = await import('./pglite.ts');
    const hasSecret = configured.length > 0;
    const { database, secrets } = await openEmbedded(DATA_DIR, options.log, { hasSecret, ...start });
    return { database, secrets: [...configured, ...secrets, ...AUTH_SECRET_OLD] };
  }
  if (configured.length === 0) {
    throw new Error('With DATABASE_URL, AUTH_SECRET is required: 32 random characters, the same for every process.');
  }
  const bucket = options.config.S3_BUCKET === undefined ? undefined : createStorage(options.config);
  const { openPostgres } = await import('./postgres.ts');
  return {
    database: await openPostgres(DATABASE_URL, options.log, { ...start, folder: DATA_DIR, bucket }),
    secrets: [...configured, ...AUTH_SECRET_OLD],
  };
}
