import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { bundleServer } from './bundle.ts';
import { cookieOf, PASSWORD } from './harness.ts';
import { untilListens } from './listen.ts';

export interface ServerProcess {
  child: ChildProcess;
  url: string;
  exited: Promise<number | null>;
  /** What it has printed. */
  said(): string;
}

/** Starts the bundled server as a process, on a free port; or the given file, by another account of the system. */
export async function startProcess(
  settings: Record<string, string>,
  file = bundleServer(),
  as: Pick<SpawnOptions, 'uid' | 'gid'> = {},
): Promise<ServerProcess> {
  const env = { PATH: process.env.PATH, PORT: '0', ...settings };
  const child = spawn(process.execPath, [file], { env, stdio: 'pipe', ...as });
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  return { child, exited, ...(await untilListens(child)) };
}

/** Signs up a new person; returns how they ask the server. */
export async function signUpAt({ url }: ServerProcess) {
  const email = `${crypto.randomUUID()}@example.com`;
  let cookie = '';
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
      body: JSON.stringify(body),
    });
  cookie = cookieOf((await post('/api/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD })).headers);
  return { email, cookie, post };
}
