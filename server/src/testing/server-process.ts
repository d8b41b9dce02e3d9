import { type SpawnOptions, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BRIEF, bundleServer } from './bundle.ts';
import { cookieOf, PASSWORD } from './harness.ts';
import { untilListens } from './listen.ts';
import { requestOf } from './requests.ts';

/** What a program of the bundle starts with: the compiled code of earlier runs, as with `npm start`. */
export const environment = (settings: Record<string, string>, file = bundleServer()) => ({
  PATH: process.env.PATH,
  ...(dirname(file) === dirname(bundleServer()) && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  ...settings,
});

/** Starts the bundled server as a process, on a free port; or the given file, with Node's flags, by another account of the system. */
export async function startProcess(
  settings: Record<string, string>,
  file = bundleServer(),
  { flags = BRIEF, ...as }: Pick<SpawnOptions, 'uid' | 'gid'> & { flags?: string[] } = {},
) {
  const env = environment({ PORT: '0', ...settings }, file);
  const child = spawn(process.execPath, [...flags, file], { env, stdio: 'pipe', ...as });
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  return { child, exited, ...(await untilListens(child)) };
}
export type ServerProcess = Awaited<ReturnType<typeof startProcess>>;

/** Runs a program of the bundle to its end; it is killed after so long if it runs longer. */
export async function runProgram(
  program: string,
  args: string[],
  settings: Record<string, string>,
  killedAfterMs?: number,
) {
  const file = join(dirname(bundleServer()), `${program}.js`);
  const child = spawn(process.execPath, [...BRIEF, file, ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killing = killedAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  clearTimeout(killing);
  return { code, out, err };
}

const poster =
  ({ url }: ServerProcess) =>
  (path: string, body: object, cookie = '') =>
    fetch(`${url}${path}`, requestOf(url, cookie, 'POST', body));

/** Signs up a new person; returns how they ask the server. */
export async function signUpAt(server: ServerProcess, email = `${crypto.randomUUID()}@example.com`) {
  const post = poster(server);
  const signedUp = await post('/api/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD });
  const cookie = cookieOf(signedUp.headers);
  return { email, cookie, post: (path: string, body: object) => post(path, body, cookie) };
}

/** Signs somebody in at a server that starts with these settings, and throws if it doesn't know them; returns what it has printed. */
export async function knows(email: string, settings: Record<string, string>, main?: string): Promise<string> {
  const restored = await startProcess(settings, main);
  const { status } = await poster(restored)('/api/auth/sign-in/email', { email, password: PASSWORD });
  restored.child.kill('SIGTERM');
  await restored.exited;
  if (status !== 200) throw new Error(`the sign-in of ${email} answered ${status}`);
  return restored.said();
}
