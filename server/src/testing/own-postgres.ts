import pg from 'pg';
import { startPostgres } from '../../../scripts/postgres.ts';

/** A PostgreSQL server for one test file, which may break it; `terminateAll` cuts every connection but its own. */
export async function startOwnPostgres(parent?: string) {
  // Durable: what it acknowledged must outlive its crash.
  const server = await startPostgres({ durable: true, ...(parent && { parent }) });
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    ...server,
    ask,
    terminateAll: () =>
      ask(`select pg_terminate_backend(pid) from pg_stat_activity
           where backend_type = 'client backend' and pid <> pg_backend_pid()`),
  };
}

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;
