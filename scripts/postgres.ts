import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endProcess, freePort, untilSays } from '../server/src/testing/listen.ts';
import { findInPath, installDebianPackages } from './debian.ts';

export const POSTGRES_ADVICE =
  'PostgreSQL 15 or newer is missing. Install it with `apt-get install postgresql`, or put its initdb and postgres in PATH.';

const OLDEST = 15;

function versionOf(bin: string): number {
  const told = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout ?? '';
  return Number(/(\d+)/u.exec(told)?.[1] ?? 0);
}

/** The folder with PostgreSQL's programs, 15 or newer: from PATH, otherwise Debian's, newest first. */
export function findPostgres(): string | undefined {
  const inPath = findInPath('initdb');
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(inPath === undefined ? [] : [dirname(inPath)]), ...versions.map((v) => join(debian, v, 'bin'))];
  return folders.find((bin) => existsSync(join(bin, 'postgres')) && versionOf(bin) >= OLDEST);
}

/** The same, after trying to install it if it is missing. */
export const findOrInstallPostgres = () =>
  findPostgres() ?? (installDebianPackages('postgresql') ? findPostgres() : undefined);

/** PostgreSQL refuses to run as root, so root uses an unprivileged account. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout));
    if (uid !== undefined && gid !== undefined && uid > 0 && gid > 0) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to lend it.');
}

/**
 * The tests don't test PostgreSQL's durability, and waiting for it would be most of their time. Without statistics of their small tables it
 * also compiles statements, which takes a fifth of its time.
 */
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'jit=off'];

interface Cluster {
  folder: string;
  data: string;
  password: string;
  /** The account to run as, when started by root. */
  as: { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv };
}

function createCluster(bin: string, parent: string): Cluster {
  const folder = mkdtempSync(join(parent, 'atelier-pg-'));
  const account = unprivileged();
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid);
  const as = { ...account, cwd: folder, env: { ...process.env, HOME: folder, LC_ALL: 'C' } };
  const data = join(folder, 'data');
  const setUp = ['-D', data, '-U', 'atelier', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  const made = spawnSync(join(bin, 'initdb'), [...setUp, '--no-locale', '--no-sync'], { ...as, encoding: 'utf8' });
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`initdb failed:\n${made.stdout}${made.stderr}`);
  }
  return { folder, data, password, as };
}

interface Options {
  /** When off, commits are faster but may be lost with the machine. */
  durable?: boolean;
  /** The parent folder, instead of the system's temporary one. */
  parent?: string;
}

/**
 * Starts our own PostgreSQL in a temporary folder, on loopback only. The account of `url` may create databases. `halt` ends it at once, as a
 * crash does, and `resume` restarts it on the same data; `stop` ends it and removes every trace.
 */
export async function startPostgres({ durable = false, parent = tmpdir() }: Options = {}) {
  const bin = findOrInstallPostgres();
  if (bin === undefined) throw new Error(POSTGRES_ADVICE);
  const { folder, data, password, as } = createCluster(bin, parent);
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'max_connections=300',
    ...(durable ? [] : FAST),
  ];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const launch = () => spawn(join(bin, 'postgres'), args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  let server = launch();
  const untilReady = async () => void (await untilSays(server, /ready to accept connections/u));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const abandon = () => {
    server.kill('SIGQUIT');
    remove();
  };
  process.once('exit', abandon);
  const stop = async () => {
    process.off('exit', abandon);
    await endProcess(server, 'SIGINT');
    remove();
  };
  await untilReady().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const resume = () => {
    server = launch();
    return untilReady();
  };
  const url = `postgres://atelier:${password}@127.0.0.1:${port}/postgres`;
  return { url, halt: () => endProcess(server, 'SIGQUIT'), resume, stop };
}
