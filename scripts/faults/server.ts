import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { untilListens } from '../../server/src/testing/listen.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const MAIN = path('../../server/src/main.ts');
const ADMIN = path('../../server/src/admin.ts');
const CLOCK = new URL('./shifted-clock.mjs', import.meta.url).href;

export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** The real server with one configuration; when it ends, it is restarted on the same port, as a supervisor would. */
export class Server {
  /** How often it ended unexpectedly. */
  deaths = 0;
  readonly url: string;
  readonly #env: Record<string, string>;
  #child: ChildProcess;
  #asked = false;

  static async start(given: Record<string, string>): Promise<Server> {
    const env = {
      PATH: process.env.PATH ?? '',
      AUTH_SECRET: 'a secret for the faults only, long enough',
      AUTH_RATE_MAX: '100000',
      LEASE_MS: '3000',
      ...given,
    };
    const { child, url } = await launch({ ...env, PORT: '0' });
    return new Server(env, child, url);
  }

  constructor(env: Record<string, string>, child: ChildProcess, url: string) {
    this.#env = { ...env, PORT: new URL(url).port };
    this.#child = child;
    this.url = url;
    this.#watch();
  }

  #watch() {
    this.#asked = false;
    this.#child.once('exit', () => {
      if (!this.#asked) this.deaths += 1;
    });
  }

  #isOver = () => this.#child.exitCode !== null || this.#child.signalCode !== null;

  /** Restarts it if it has ended. */
  async revive(): Promise<void> {
    if (!this.#isOver()) return;
    this.#child = (await launch(this.#env)).child;
    this.#watch();
  }

  /** Once it has ended, starts it and kills it so many milliseconds later, in the middle of its start. */
  async killStart(ms: number): Promise<void> {
    const child = run(this.#env);
    const ended = new Promise((done) => child.once('exit', done));
    await pause(ms);
    child.kill('SIGKILL');
    await ended;
  }

  /** A second process on the same database. */
  startBeside = (): Promise<Server> => Server.start(this.#env);

  signal(signal: 'SIGTERM' | 'SIGKILL' | 'SIGUSR2' | 'SIGSTOP' | 'SIGCONT'): void {
    if (signal === 'SIGTERM' || signal === 'SIGKILL') this.#asked = true;
    this.#child.kill(signal);
  }

  async ended(): Promise<void> {
    if (!this.#isOver()) await new Promise((done) => this.#child.once('exit', done));
  }

  async stop(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended();
  }

  async grantPro(email: string): Promise<void> {
    const args = [ADMIN, 'grant-pro', email, '--reason', 'faults'];
    await promisify(execFile)(process.execPath, args, { env: this.#env });
  }
}

const run = (env: Record<string, string>) =>
  spawn(process.execPath, ['--import', CLOCK, MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });

async function launch(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = run(env);
  const { url } = await untilListens(child);
  // By number: a name may have two addresses, and a busy machine is too slow to try both.
  return { child, url: url.replace('localhost', '127.0.0.1') };
}
