import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { expect } from 'vitest';
import { bundleServer } from './bundle.ts';
import { eventually } from './eventually.ts';
import { cookieOf, PASSWORD } from './harness.ts';

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
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  await eventually(() => expect(said).toMatch(/listens on/));
  return { child, exited, url: /http:\/\/localhost:\d+/.exec(said)?.[0] ?? '', said: () => said };
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
