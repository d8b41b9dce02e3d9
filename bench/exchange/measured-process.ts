import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SERVER_FLAGS from '../../scripts/server-flags.json' with { type: 'json' };
import type { Database } from '../../server/src/platform/database/database.ts';
import { openEmbedded } from '../../server/src/platform/database/pglite.ts';
import { openPostgres } from '../../server/src/platform/database/postgres.ts';
import { silentLog } from '../../server/src/platform/log.ts';
import { bundleServer } from '../../server/src/testing/bundle.ts';
import { urlOf } from '../../server/src/testing/database.ts';
import { untilListens } from '../../server/src/testing/listen.ts';
import { startOwnPostgres } from '../../server/src/testing/own-postgres.ts';
import type { Figure } from '../report.ts';
import { AUTH_SECRET } from './accounts.ts';
import { closeConnections } from './client.ts';

const root = join(import.meta.dirname, '..', '..');
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** What a process takes with all its threads, since it began, read from outside (Linux only): nothing is loaded into it. */
function readMeasures(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [, rssKb] = /^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, rssMb: Number(rssKb) / 1024 };
}

/** What is started for which question: the command for its start, its bundle for speed and memory, the source for counting. */
const PROGRAMS = {
  command: () => ['npm', 'start'],
  shipped: () => [process.execPath, ...SERVER_FLAGS, bundleServer()],
  counted: () => [process.execPath, '--import', join(root, 'bench/exchange/count-in-server.ts'), 'server/src/main.ts'],
  provider: () => [process.execPath, 'bench/exchange/provider.ts'],
};
type Program = keyof typeof PROGRAMS;

/** Runs `work` beside a server on a free port, which ends with it. Bounds of single accounts are raised, because these never pause. */
export async function withServer<T>(
  program: Exclude<Program, 'provider'>,
  env: Record<string, string>,
  work: (server: MeasuredProcess) => Promise<T>,
): Promise<T> {
  const server = await startMeasured(program, { PORT: '0', ACCOUNT_BOUNDS: '1000', ...env });
  try {
    return await work(server);
  } finally {
    closeConnections();
    await server.stop();
  }
}

/** A model provider on loopback, in a process of its own; `env` are the settings of a server that asks it. */
export async function startProvider() {
  const provider = await startMeasured('provider');
  return { ...provider, env: { OPENAI_BASE_URL: provider.address, OPENAI_API_KEY: 'sk-bench-0123456789' } };
}

async function startMeasured(program: Program, env: Record<string, string> = {}) {
  const [command = '', ...args] = PROGRAMS[program]();
  const since = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  const { url: address, pid } = await untilListens(child);
  const startMs = performance.now() - since;
  const abandon = () => process.kill(pid, 'SIGKILL');
  process.once('exit', abandon);
  return {
    address,
    /** From the command until it listened. */
    startMs,
    /** With the statements sent to the database, which only a server that runs from source counts. */
    async measure() {
      if (program !== 'counted') return { ...readMeasures(pid), statements: 0 };
      const answer = once(child, 'message');
      child.send('statements');
      const [statements]: number[] = await answer;
      return { ...readMeasures(pid), statements: statements ?? Number.NaN };
    },
    async stop() {
      process.off('exit', abandon);
      if (child.exitCode !== null || child.signalCode !== null) return;
      process.kill(pid, 'SIGTERM');
      await ended;
    },
  };
}
export type MeasuredProcess = Awaited<ReturnType<typeof startMeasured>>;

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
        const name = `bench_${crypto.randomUUID().replaceAll('-', '')}`;
        await postgres.ask(`create database ${name}`);
        env.DATABASE_URL = urlOf(postgres.url, name);
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
