import { runProgram, startProcess } from '../../server/src/testing/server-process.ts';

const flags = ['--import', new URL('./shifted-clock.ts', import.meta.url).href];

/** The real server with one configuration; when it ends, it is restarted on the same port, as a supervisor would. */
export async function startServer(given: Record<string, string>) {
  const settings = {
    AUTH_SECRET: 'a secret for the faults only, long enough',
    AUTH_RATE_MAX: '100000',
    LEASE_MS: '3000',
    ...given,
  };
  let running = await startProcess({ ...settings, PORT: '0' }, undefined, { flags });
  // By number: a name may have two addresses, and a busy machine is too slow to try both.
  const url = running.url.replace('localhost', '127.0.0.1');
  const again = { ...settings, PORT: new URL(url).port };
  let deaths = 0;
  let isAsked = false;
  const watch = () => {
    isAsked = false;
    running.child.once('exit', () => {
      if (!isAsked) deaths += 1;
    });
  };
  watch();
  const signal = (name: 'SIGTERM' | 'SIGKILL' | 'SIGUSR2' | 'SIGSTOP' | 'SIGCONT') => {
    if (name === 'SIGTERM' || name === 'SIGKILL') isAsked = true;
    running.child.kill(name);
  };
  const end = async (name: 'SIGTERM' | 'SIGKILL') => {
    signal(name);
    await running.exited;
  };
  return {
    url,
    /** How often it ended unexpectedly. */
    deaths: () => deaths,
    signal,
    /** Sends the signal and waits until it has ended. */
    end,
    /** Restarts it if it has ended. */
    async revive() {
      if (running.child.exitCode === null && running.child.signalCode === null) return;
      running = await startProcess(again, undefined, { flags });
      watch();
    },
    /** Once it has ended, starts it and kills it so many milliseconds later, in the middle of its start. */
    killStart: (ms: number) => runProgram('main', [], again, ms),
    /** A second process on the same database. */
    startBeside: () => startServer(settings),
    async grantPro(email: string) {
      const { code, err } = await runProgram('admin', ['grant-pro', email, '--reason', 'faults'], again);
      if (code !== 0) throw new Error(err);
    },
  };
}
export type Server = Awaited<ReturnType<typeof startServer>>;
