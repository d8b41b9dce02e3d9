// How long `npm start` takes until it listens, and how much memory the server needs: at rest, after exchanges, and a minute later.
//   node scripts/run.mjs bench/start.ts [--starts 5] [--exchanges 1000] [--json]
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { findOrInstallPostgres, POSTGRES_ADVICE, startPostgres } from '../scripts/postgres.ts';
import { type FakeOpenAI, startFakeOpenAI } from '../server/src/testing/fake-openai.ts';
import { signIn } from './one-account.ts';
import { type Memory, readMemory } from './process-memory.ts';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    exchanges: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '..');
const REST_MS = 20_000;
const LATER_MS = 60_000;
const CROWD = 10;
const ANSWER = { text: 'The fjords are best seen from the slow train. '.repeat(8), deltas: 40 };

interface Started {
  url: string;
  pid: number;
  /** From the command until it listens. */
  ms: number;
  stop(): Promise<void>;
}

/** Runs `npm start` as an operator would. */
function npmStart(env: Record<string, string>): Promise<Started> {
  const since = performance.now();
  const child: ChildProcess = spawn('npm', ['start'], { cwd: root, env: { ...process.env, ...env, PORT: '0' } });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  let said = '';
  return new Promise((done, fail) => {
    const listen = (chunk: Buffer) => {
      said += chunk;
      const { url, pid } = /listens on (?<url>\S+) \(pid (?<pid>\d+)\)/u.exec(said)?.groups ?? {};
      if (url === undefined) return;
      const stop = async () => {
        process.kill(Number(pid), 'SIGTERM');
        await ended;
      };
      done({ url, pid: Number(pid), ms: performance.now() - since, stop });
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', listen).resume();
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', listen);
    child.once('exit', () => fail(new Error(`npm start ended:\n${said}`)));
  });
}

/** Makes the next start bundle and compile again. */
function forget(): void {
  rmSync(join(root, 'server', 'build', 'built-from'), { force: true });
  rmSync(join(root, 'node_modules', '.cache', 'atelier', 'compiled'), { recursive: true, force: true });
}

async function exchange(url: string, env: Record<string, string>, count: number): Promise<void> {
  const admin = async (...args: string[]) => {
    const options = { cwd: root, env: { ...process.env, ...env } };
    return (await promisify(execFile)(process.execPath, ['server/src/admin.ts', ...args], options)).stdout;
  };
  const caller = await signIn({ url, admin });
  const talk = async () => {
    const session = await caller.startSession();
    for (let i = 0; i < count / CROWD; i += 1) await (await caller.exchange(session, 'Which train?')).text();
  };
  await Promise.all(Array.from({ length: CROWD }, talk));
}

interface Result {
  coldMs: number;
  /** The median, and the fastest: on a busy machine only the second says something about the program. */
  warmMs: { median: number; best: number };
  rest: Memory;
  busy: Memory;
  later: Memory;
}

async function measure(env: Record<string, string>): Promise<Result> {
  forget();
  const cold = await npmStart(env);
  await cold.stop();
  // The second start fills the compile cache.
  await (await npmStart(env)).stop();
  const warm: number[] = [];
  for (let i = 0; i < Number(values.starts); i += 1) {
    const started = await npmStart(env);
    warm.push(started.ms);
    await started.stop();
  }
  const sorted = warm.toSorted((a, b) => a - b);
  const server = await npmStart(env);
  try {
    await pause(REST_MS);
    const rest = await readMemory(server);
    await exchange(server.url, env, Number(values.exchanges));
    const busy = await readMemory(server);
    await pause(LATER_MS);
    const later = await readMemory(server);
    const warmMs = { median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, best: sorted[0] ?? Number.NaN };
    return { coldMs: cold.ms, warmMs, rest, busy, later };
  } finally {
    await server.stop();
  }
}

async function onBoth(provider: FakeOpenAI): Promise<Record<string, Result>> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-start-'));
  const shared = {
    OPENAI_BASE_URL: provider.url,
    OPENAI_API_KEY: 'sk-bench-0123456789',
    AUTH_RATE_MAX: '10000',
    ACCOUNT_BOUNDS: '1000',
  };
  const bin = findOrInstallPostgres();
  if (bin === undefined) throw new Error(POSTGRES_ADVICE);
  const postgres = await startPostgres(bin);
  try {
    const embedded = await measure({ ...shared, DATA_DIR: join(folder, 'embedded') });
    const onPostgres = await measure({
      ...shared,
      DATA_DIR: join(folder, 'files'),
      DATABASE_URL: postgres.url,
      AUTH_SECRET: 'a secret of the bench, 32 letters',
    });
    return { embedded, 'on PostgreSQL': onPostgres };
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const provider = await startFakeOpenAI(ANSWER);
try {
  const results = await onBoth(provider);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  console.log('npm start, from the command until it listens');
  console.table(
    Object.entries(results).map(([database, { coldMs, warmMs }]) => ({
      database,
      'cold (bundles, creates the database)': seconds(coldMs),
      'warm, median': seconds(warmMs.median),
      'warm, best': seconds(warmMs.best),
    })),
  );
  console.log(`Memory in MB: ${REST_MS / 1000} s after the start, after ${values.exchanges} exchanges, a minute later`);
  console.table(
    Object.entries(results).flatMap(([database, { rest, busy, later }]) =>
      Object.entries({ rest, busy, later }).map(([when, memory]) => ({ database, when, ...memory })),
    ),
  );
  if (values.json) console.log(JSON.stringify(results));
} finally {
  await provider.close();
}
