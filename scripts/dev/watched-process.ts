import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

interface Settings {
  /** Node's arguments at this moment. */
  args(): string[];
  env: NodeJS.ProcessEnv;
  /** The port on which the process listens. */
  port: number;
  say(line: string): void;
}

/** Editors write a file in several steps. */
const SETTLED_MS = 100;
/** How long a process may take to stop after a signal, before it gets the next. */
const STOP_MS = 2_000;

const accepts = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => done(false)).once('connect', () => done(true));
    socket.once('connect', () => socket.destroy());
  });

/** Starts a process; `listens` is false when it ended instead. */
function launch({ args, env, port, say }: Settings) {
  // The channel ends the server when this process is killed outright.
  const child = spawn(process.execPath, args(), { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let isStopped = false;
  const { promise: exited, resolve: exit } = Promise.withResolvers<void>();
  child.once('exit', (code) => {
    if (!isStopped) say(`The server ended with code ${code}. It starts again when one of its files changes.`);
    exit();
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const listens = (async () => {
    while (isRunning() && !(await accepts(port))) await pause(50);
    return isRunning();
  })();
  const stop = async () => {
    isStopped = true;
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGKILL'] as const) {
      if (isRunning()) child.kill(signal);
      await Promise.race([exited, pause(STOP_MS, undefined, { ref: false })]);
      if (!isRunning()) return;
    }
  };
  return { listens, stop, isRunning };
}

/**
 * Runs a server that `restart` starts again, with its reason as a sentence. `ready` waits for a start and answers whether the server listens;
 * `stop` ends it for good.
 */
export function watchProcess(settings: Settings) {
  let running = launch(settings);
  let ready = running.listens;
  let timer: NodeJS.Timeout | undefined;

  const restartNow = () => {
    // A start that is under way ends at once.
    const [stopped, before] = [running.stop(), ready];
    ready = (async () => {
      await Promise.all([stopped, before]);
      running = launch(settings);
      return running.listens;
    })();
  };
  return {
    ready: async () => (await ready) && running.isRunning(),
    restart(reason: string) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        settings.say(reason);
        restartNow();
      }, SETTLED_MS);
    },
    async stop() {
      clearTimeout(timer);
      await running.stop();
    },
  };
}
