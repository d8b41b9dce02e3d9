import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { endReplacing, refuseUnfinished } from '../database/folder/data-folder.ts';
import { explainOpening } from '../database/folder/explain-opening.ts';
import { lockFolder } from '../database/folder/lock-folder.ts';
import { MIGRATION_LOCK } from '../database/postgres.ts';
import { openDatabaseFiles } from './embedded-source.ts';
import { embeddedPlace, emptyPostgres } from './places.ts';
import { type Portable, portablePostgres } from './portable.ts';
import { connectPostgres } from './postgres-source.ts';
import type { RestoreTarget } from './restore-backup.ts';

/** The database of an installation that no server uses. None starts on it before `release`. */
export interface ExclusiveDatabase {
  database: Portable;
  /** The same place, for a backup that replaces what there is; the database is closed or empty meanwhile. */
  toReplace(withJobs: boolean): Promise<RestoreTarget>;
  release(): Promise<void>;
}

/** Opens the configured database for this command alone; throws a sentence for the operator, also while a server uses it. */
export const holdDatabase = ({ DATABASE_URL, DATA_DIR }: Config): Promise<ExclusiveDatabase> =>
  DATABASE_URL === undefined ? holdEmbedded(resolve(DATA_DIR)) : holdPostgres(DATABASE_URL, resolve(DATA_DIR));

async function holdEmbedded(root: string): Promise<ExclusiveDatabase> {
  if (!existsSync(root))
    throw new Error(`There is no folder ${root}. Set DATA_DIR or DATABASE_URL as the server has them.`);
  const unlock = lockFolder(root);
  try {
    endReplacing(root);
    refuseUnfinished(root);
    if (!existsSync(join(root, 'db', 'PG_VERSION'))) throw new Error(`There is no database in ${root}.`);
    const database = await openDatabaseFiles(join(root, 'db'));
    return {
      database,
      toReplace: async () => {
        await database.close();
        return embeddedPlace(root, undefined, 'replace');
      },
      release: () => database.close().finally(unlock),
    };
  } catch (error) {
    unlock();
    throw explainOpening(root, error);
  }
}

async function holdPostgres(url: string, folder: string): Promise<ExclusiveDatabase> {
  const client = await connectPostgres(url);
  try {
    // A server that starts waits for this lock; one that runs holds connections.
    const { rows } = await client.query(
      `select pg_try_advisory_lock($1) as locked, (select count(*)::int from pg_stat_activity where datname = current_database()
         and usename = current_user and backend_type = 'client backend' and pid <> pg_backend_pid()) as others`,
      [MIGRATION_LOCK],
    );
    if (rows[0].locked !== true || rows[0].others > 0) {
      throw new Error(
        `Others are connected to the database at DATABASE_URL (${rows[0].others} connections of its account). Stop every server, then try again.`,
      );
    }
    const database = portablePostgres(client);
    const toReplace = async (withJobs: boolean) => ({
      limits: embeddedPlace(folder).limits,
      take: async () => {},
      prepare: async () => database,
      empty: () => emptyPostgres(database, !withJobs),
      finish: async () => void (await client.query('commit')),
      abandon: async () => void (await client.query('rollback')),
    });
    return { database, toReplace, release: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}
