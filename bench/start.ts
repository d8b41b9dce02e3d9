// How long `npm start` takes until it listens, and how much memory the server needs: at rest, after exchanges, and a minute later. The
// floor is a Node process that does nothing.
//   npm run bench:start -- [--starts 5] [--exchanges 1000] [--json]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AUTH_SECRET, makeAccounts } from './exchange/accounts.ts';
import { type Account, closeConnections, exchange } from './exchange/client.ts';
import { type DatabaseServer, KINDS, startDatabaseServer } from './exchange/database-server.ts';
import { readMeasures, startProvider } from './exchange/measured-process.ts';
import { makeQuestions } from './made-texts.ts';
import { type Figure, median, readOptions, report, timesOf } from './report.ts';

const values = readOptions({ starts: '5', exchanges: '1000' });
const root = join(import.meta.dirname, '..');
const [REST_MS, LATER_MS] = [20_000, 60_000];
const CROWD = 10;
const questions = makeQuestions(100);

/** Runs `npm start` as an operator would; resolves when it listens. */
async function npmStart(env: Record<string, string>) {
  const since = performance.now();
  const child = spawn('npm', ['start'], { cwd: root, env: { ...process.env, ...env, PORT: '0' } });
  const ended = once(child, 'exit');
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const { url, pid } = /listens on (?<url>\S+) \(pid (?<pid>\d+)\)/u.exec(said)?.groups ?? {};
    if (url === undefined) continue;
    const ms = performance.now() - since;
    for (const stream of [child.stdout, child.stderr]) stream.resume();
    const stop = async () => {
      process.kill(Number(pid), 'SIGTERM');
      await ended;
    };
    return { url, ms, stop, rssMb: () => readMeasures(Number(pid)).rssMb };
  }
  throw new Error(`npm start ended:\n${said}`);
}

/** Makes the next start bundle and compile again. */
function forget(): void {
  rmSync(join(root, 'server', 'build', 'built-from'), { force: true });
  rmSync(join(root, 'node_modules', '.cache', 'atelier', 'compiled'), { recursive: true, force: true });
}

async function startTimes(env: Record<string, string>): Promise<{ coldMs: number; warmMs: number }> {
  const times: number[] = [];
  const start = async () => {
    const server = await npmStart(env);
    times.push(server.ms);
    await server.stop();
  };
  forget();
  // The second start fills the compile cache.
  for (let i = 0; i < 2 + Number(values.starts); i += 1) await start();
  return { coldMs: times[0] ?? Number.NaN, warmMs: median(times.slice(2)) };
}

async function talk(accounts: Account[]): Promise<void> {
  const rounds = Number(values.exchanges) / CROWD;
  await Promise.all(
    accounts.map(async (account) => {
      for (let i = 0; i < rounds; i += 1) await exchange(account, questions[i % questions.length] ?? '');
    }),
  );
}

async function measure(database: DatabaseServer, provider: string): Promise<Figure[]> {
  const { env, filled } = await database.create((db) => makeAccounts(db, Array<undefined>(CROWD).fill(undefined)));
  const fresh = await database.create(async () => {});
  const shared = {
    OPENAI_BASE_URL: provider,
    OPENAI_API_KEY: 'sk-bench-0123456789',
    ACCOUNT_BOUNDS: '1000',
    AUTH_SECRET,
  };
  const [floor] = await timesOf(() => execFileSync(process.execPath, ['--eval', '0']), { rounds: 1, warmUp: 1 });
  const { coldMs, warmMs } = await startTimes({ ...shared, ...fresh.env });
  const server = await npmStart({ ...shared, ...env });
  try {
    await pause(REST_MS);
    const rest = server.rssMb();
    await talk(filled.map((account) => ({ ...account, url: server.url })));
    const busy = server.rssMb();
    await pause(LATER_MS);
    return [
      { what: 'first start, which bundles', unit: 'ms', floor, ours: coldMs },
      { what: 'later start, median', unit: 'ms', floor, ours: warmMs },
      { what: `memory ${REST_MS / 1000} s after the start`, unit: 'MB', ours: rest },
      { what: `after ${values.exchanges} exchanges`, unit: 'MB', ours: busy },
      { what: 'a minute later', unit: 'MB', ours: server.rssMb() },
    ];
  } finally {
    closeConnections();
    await server.stop();
  }
}

const provider = await startProvider();
const figures: Figure[] = [];
try {
  for (const kind of KINDS) {
    const database = await startDatabaseServer(kind);
    try {
      figures.push(...(await measure(database, provider.address)).map((figure) => ({ ...figure, on: kind })));
    } finally {
      await database.stop();
    }
  }
} finally {
  await provider.stop();
}
report('npm start, from the command until it listens, and what the server takes then', figures);
