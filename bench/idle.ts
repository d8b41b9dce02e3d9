// What a server costs that nobody uses: processor time as a share of one core, and statements per minute, on the embedded database and on
// PostgreSQL. The server is the real process on a fresh data folder; PostgreSQL's own processes are not counted.
//   node scripts/run.mjs bench/idle.ts [--seconds 60] [--json]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findOrInstallPostgres, POSTGRES_ADVICE, startPostgres } from '../scripts/postgres.ts';
import type { Used } from './idle-counter.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, json: { type: 'boolean', default: false } },
});
const SECONDS = Number(values.seconds);
/** After this time everything that follows a start is done, and so is the first round of what comes each minute. */
const WARM_UP_MS = 75_000;

async function startServer(folder: string, databaseUrl?: string): Promise<ChildProcess> {
  const counter = join(import.meta.dirname, 'idle-counter.ts');
  const env = {
    ...process.env,
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: 'bench'.repeat(8),
  };
  const child = spawn(process.execPath, ['--import', counter, 'server/src/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('listens on')) return child;
  throw new Error('the server did not start');
}

async function askUsed(server: ChildProcess): Promise<Used> {
  const answer = once(server, 'message');
  server.send('used');
  return (await answer)[0];
}

async function measure(databaseUrl?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const server = await startServer(folder, databaseUrl);
  try {
    await setTimeout(WARM_UP_MS);
    const before = await askUsed(server);
    await setTimeout(SECONDS * 1000);
    const after = await askUsed(server);
    return {
      percentOfACore: Number(((after.cpuMs - before.cpuMs) / (SECONDS * 10)).toFixed(2)),
      statementsPerMinute: Math.round(((after.statements - before.statements) * 60) / SECONDS),
    };
  } finally {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

const bin = findOrInstallPostgres();
if (bin === undefined) throw new Error(POSTGRES_ADVICE);
const postgres = await startPostgres(bin);
try {
  const idle = { embedded: await measure(), postgres: await measure(postgres.url) };
  console.log(`an idle server, for ${SECONDS} s`);
  console.table(idle);
  if (values.json) console.log(JSON.stringify({ idle }));
} finally {
  await postgres.stop();
}
