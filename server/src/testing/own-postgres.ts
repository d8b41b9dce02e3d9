import { startPostgres } from '../../../scripts/postgres.ts';
import { onServer } from './database.ts';

/** A PostgreSQL server for one test file, which may break it; `terminateAll` cuts every connection but its own. */
export async function startOwnPostgres(parent?: string) {
  // Durable: what it acknowledged must outlive its crash.
  const server = await startPostgres({ durable: true, ...(parent && { parent }) });
  const ask = (text: string) => onServer(server.url, text);
  return {
    ...server,
    ask,
    terminateAll: () =>
      ask(`select pg_terminate_backend(pid) from pg_stat_activity
           where backend_type = 'client backend' and pid <> pg_backend_pid()`),
  };
}

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;
