import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sendCommand } from '../server/src/platform/command-socket.ts';
import { BRIEF, bundleServer } from '../server/src/testing/bundle.ts';
import { endProcess, untilListens } from '../server/src/testing/listen.ts';
import { copyRestored, restoredOn, restoreInTurn } from './restored.ts';

const root = join(import.meta.dirname, '..');
const ADMIN = join(root, 'server', 'src', 'admin.ts');
const runFile = promisify(execFile);

// The servers flush every commit; a journey need not wait for a disk. Survival of a power cut has its own tests.
const QUICK = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Names a migrated data folder from which every server of a run starts, because creating one takes seconds. */
const TEMPLATE = 'ATELIER_JOURNEY_TEMPLATE';

/** Names the address and the data folder of the server that all workers share. */
const SHARED = 'ATELIER_JOURNEY_SHARED';

/** A server that others use too. */
export interface SharedServer {
  url: string;
  /** `npm run admin -- …`, where the server can as itself, without a process of its own; returns its output. */
  admin(...args: string[]): Promise<string>;
}

export interface Server extends SharedServer {
  /** Where its data are. */
  folder: string;
  /** Its settings. */
  env: { DATA_DIR: string; DATABASE_URL?: string };
  /** Ends the process as a power cut would. */
  kill(): Promise<void>;
  /** Starts again on the same address and data. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Names the file to start, bundled by the first server of a run. */
const MAIN = 'ATELIER_JOURNEY_MAIN';

async function start(env: Record<string, string>, flags = BRIEF): Promise<{ child: ChildProcess; url: string }> {
  process.env[MAIN] ??= bundleServer();
  const child = spawn(process.execPath, [...flags, process.env[MAIN]], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { url, said } = await untilListens(child);
  child.once('exit', (code) => {
    if (!ending.has(child)) process.stderr.write(`The server ended by itself with ${code}:\n${said()}\n`);
  });
  return { child, url: `http://localhost:${new URL(url).port}` };
}

const ending = new WeakSet<ChildProcess>();
function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  ending.add(child);
  return endProcess(child, signal);
}

const adminOf =
  (env: { DATA_DIR: string }): SharedServer['admin'] =>
  async (...args) => {
    const reply = await sendCommand(env.DATA_DIR, args);
    // On PostgreSQL a command is a process of its own.
    if (reply === null)
      return (await runFile(process.execPath, [ADMIN, ...args], { cwd: root, env: { ...process.env, ...env } })).stdout;
    if (!reply.ok) throw new Error(reply.message);
    return `${reply.message}\n`;
  };

/** Starts the real server on a free port, with everything embedded in a temporary folder. */
export async function startServer(settings: Record<string, string> = {}, flags = BRIEF): Promise<Server> {
  const folder = mkdtempSync(join(QUICK, 'atelier-journey-'));
  const template = process.env[TEMPLATE];
  if (template !== undefined) cpSync(template, folder, { recursive: true });
  // The offline model's pause between two words is for people to see; each one would draw the page again.
  const quick = { PORT: '0', AUTH_RATE_MAX: '10000', OFFLINE_PAUSE_MS: '0' };
  const env = { ...quick, DATA_DIR: folder, ...(await copyRestored()), ...settings };
  let { child, url } = await start(env, flags);
  const { port } = new URL(url);
  return {
    url,
    folder,
    env,
    admin: adminOf(env),
    kill: () => end(child, 'SIGKILL'),
    restart: async () => {
      ({ child, url } = await start({ ...env, PORT: port }, flags));
    },
    stop: async () => {
      await end(child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates the folder from which the servers of this run start, and starts the shared server; returns how to end both. */
export async function prepareServers(): Promise<() => Promise<void>> {
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compile');
  const template = mkdtempSync(join(QUICK, 'atelier-template-'));
  const restored = mkdtempSync(join(QUICK, 'atelier-restored-'));
  const { child } = await start({ PORT: '0', DATA_DIR: template });
  await end(child, 'SIGTERM');
  const isRestored = restoredOn !== undefined;
  const endRestored = isRestored ? await restoreInTurn(process.env[MAIN] ?? '', template, restored) : undefined;
  process.env[TEMPLATE] = isRestored ? restored : template;
  const shared = await startServer({ FETCH_ALLOWED: '127.0.0.1' }, []);
  process.env[SHARED] = JSON.stringify({ url: shared.url, env: shared.env });
  return async () => {
    await shared.stop();
    await endRestored?.();
    for (const folder of [template, restored]) rmSync(folder, { recursive: true, force: true });
  };
}

/** The server that all workers share. */
export function sharedServer(): SharedServer {
  const { url, env } = JSON.parse(process.env[SHARED] ?? '{}');
  return { url, admin: adminOf(env) };
}
