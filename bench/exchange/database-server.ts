import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findOrInstallPostgres, POSTGRES_ADVICE, startPostgres } from '../../scripts/postgres.ts';
import type { Database } from '../../server/src/platform/database/database.ts';
import { openEmbedded } from '../../server/src/platform/database/pglite.ts';
import { openPostgres } from '../../server/src/platform/database/postgres.ts';
import { silentLog } from '../../server/src/platform/log.ts';

/** A place for data, as people have it: on a disk, and every commit is flushed. */
export interface DatabaseServer {
  kind: Kind;
  /** Fills a new database before anybody is served from it; resolves with the settings of a server on it. */
  create<T>(fill: (database: Database) => Promise<T>): Promise<{ env: Record<string, string>; filled: T }>;
  stop(): Promise<void>;
}

export type Kind = 'embedded' | 'postgres';
export const KINDS: readonly Kind[] = ['embedded', 'postgres'];

/** Starts one in a temporary folder, which `stop` removes. */
export async function startDatabaseServer(kind: Kind): Promise<DatabaseServer> {
  const root = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const server = kind === 'postgres' ? await startOwnPostgres() : undefined;
  return {
    kind,
    async create(fill) {
      const folder = mkdtempSync(join(root, 'data-'));
      const url = await server?.createDatabase();
      const database =
        url === undefined ? (await openEmbedded(folder, silentLog)).database : await openPostgres(url, silentLog);
      const filled = await fill(database);
      await database.close();
      return { env: { DATA_DIR: folder, ...(url === undefined ? {} : { DATABASE_URL: url }) }, filled };
    },
    async stop() {
      await server?.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function startOwnPostgres() {
  const bin = findOrInstallPostgres();
  if (bin === undefined) throw new Error(POSTGRES_ADVICE);
  const server = await startPostgres(bin, { durable: true });
  let count = 0;
  return {
    async createDatabase() {
      count += 1;
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database bench_${count}`);
      await client.end();
      const url = new URL(server.url);
      url.pathname = `/bench_${count}`;
      return url.href;
    },
    stop: () => server.stop(),
  };
}
