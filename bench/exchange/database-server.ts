import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../server/src/platform/database/database.ts';
import { openEmbedded } from '../../server/src/platform/database/pglite.ts';
import { openPostgres } from '../../server/src/platform/database/postgres.ts';
import { silentLog } from '../../server/src/platform/log.ts';
import { startOwnPostgres } from '../../server/src/testing/own-postgres.ts';
import type { Figure } from '../report.ts';
import { AUTH_SECRET } from './accounts.ts';

/** Fills a new database before anybody is served from it; resolves with the settings of a server on it. */
export type CreateDatabase = <T>(
  fill: (database: Database) => Promise<T>,
) => Promise<{ env: Record<string, string>; filled: T }>;

export const BOTH = 'embedded,postgres';

/** What is found on each of these databases, one after another; each as people have it: on a disk, and every commit is flushed. */
export async function measureOn(names: string, measure: (create: CreateDatabase) => Promise<Figure[]>) {
  const figures: Figure[] = [];
  for (const on of names.split(',')) {
    const root = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
    const postgres = on === 'postgres' ? await startOwnPostgres() : undefined;
    const create: CreateDatabase = async (fill) => {
      const folder = mkdtempSync(join(root, 'data-'));
      const env: Record<string, string> = { DATA_DIR: folder, AUTH_SECRET };
      if (postgres !== undefined) {
        const url = new URL(postgres.url);
        url.pathname = `bench_${crypto.randomUUID().replaceAll('-', '')}`;
        await postgres.ask(`create database ${url.pathname.slice(1)}`);
        env.DATABASE_URL = url.href;
      }
      const { database } = env.DATABASE_URL
        ? { database: await openPostgres(env.DATABASE_URL, silentLog) }
        : await openEmbedded(folder, silentLog);
      const filled = await fill(database);
      await database.close();
      return { env, filled };
    };
    try {
      figures.push(...(await measure(create)).map((figure) => ({ on, ...figure })));
    } finally {
      await postgres?.stop();
      rmSync(root, { recursive: true, force: true });
    }
  }
  return figures;
}
