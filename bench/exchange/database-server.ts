import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
  /** Fills a new database before anybody is served from it; resolves with the settings of a server on it. */
  create<T>(fill: (database: Database) => Promise<T>): Promise<{ env: Record<string, string>; filled: T }>;
  /** CPU time of the database's own processes so far; 0 when it has none, or the system doesn't tell. */
  cpuMs(): number;
  stop(): Promise<void>;
}

export type Kind = 'embedded' | 'postgres';

/** Starts one in a temporary folder, which `stop` removes. */
export const startDatabaseServer = (kind: Kind): Promise<DatabaseServer> =>
  kind === 'embedded' ? embedded() : postgres();

async function embedded(): Promise<DatabaseServer> {
  const root = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  return {
    async create(fill) {
      const folder = mkdtempSync(join(root, 'data-'));
      const { database } = await openEmbedded(folder, silentLog);
      const filled = await fill(database);
      await database.close();
      return { env: { DATA_DIR: folder }, filled };
    },
    cpuMs: () => 0,
    stop: async () => rmSync(root, { recursive: true, force: true }),
  };
}

async function postgres(): Promise<DatabaseServer> {
  const bin = findOrInstallPostgres();
  if (bin === undefined) throw new Error(POSTGRES_ADVICE);
  const server = await startPostgres(bin, { durable: true });
  const root = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = parentOf(Number(rows[0]?.pid));
  let count = 0;
  return {
    async create(fill) {
      count += 1;
      const name = `bench_${count}`;
      await client.query(`create database ${name}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      const database = await openPostgres(url.href, silentLog);
      const filled = await fill(database);
      await database.close();
      return { env: { DATA_DIR: mkdtempSync(join(root, 'data-')), DATABASE_URL: url.href }, filled };
    },
    cpuMs: () => (postmaster === undefined ? 0 : cpuOf(postmaster)),
    async stop() {
      await client.end();
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The fields of /proc/PID/stat after the program's name: state, parent, …; undefined for a process that has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

const parentOf = (pid: number) => (existsSync('/proc/self/stat') ? Number(statOf(pid)?.[1]) : undefined);

/** Of the process, its living children and those that it has waited for. */
function cpuOf(postmaster: number): number {
  const fields = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((name) => ({ pid: Number(name), stat: statOf(Number(name)) ?? [] }));
  const sum = (stat: string[], from: number, to: number) =>
    stat.slice(from, to).reduce((all, ticks) => all + Number(ticks), 0);
  return fields.reduce((all, { pid, stat }) => {
    if (pid === postmaster) return all + TICK_MS * sum(stat, 11, 15);
    return Number(stat[1]) === postmaster ? all + TICK_MS * sum(stat, 11, 13) : all;
  }, 0);
}
