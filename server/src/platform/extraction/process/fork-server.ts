import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** What the fork server is asked. */
export type Order = { id: number; args: string[] } | { id: number; input: Uint8Array | 'end' | 'kill' };
/** What it says of a process: that it started, took what it was given, what it wrote, and last that it ended, with why it failed. */
export type News =
  | { id: number; pid: number | undefined }
  | { id: number; taken: true }
  | { id: number; output: Uint8Array }
  | End;
interface End {
  id: number;
  failure: Failure | undefined;
}
/** Why a process couldn't start or was ended by somebody else, which is not its own fault. */
export interface Failure {
  message: string;
  code?: string;
}

/** A process of Node that was started by the fork server. */
export interface ForkedProcess {
  /** Undefined until it runs. */
  pid: number | undefined;
  stdin: Writable;
  /** Ends when the process has; fails when it could not be started, or somebody else has ended it. */
  stdout: Readable;
  kill: () => void;
}

const CHILD = fileURLToPath(new URL('./fork-server.child.ts', import.meta.url));
const HEAP_MB = 64;
/** It ends when nothing was started for so long. */
const IDLE_MS = 60_000;
/** It is stuck, and ended, when it hasn't ended a process in so long. */
const STUCK_MS = 10_000;
/** The canvas library looks for fonts in the home folder, and fails where the account has no entry in the system's list. */
const NO_HOME = '/nonexistent';

let forkServer: ChildProcess | undefined;
let idle: NodeJS.Timeout | undefined;
let nextId = 0;
const processes = new Map<number, ForkedProcess & { taken?: (error?: Error | null) => void }>();

/**
 * Starts a process of Node without this process's environment, by way of a small one. The system copies the memory map of the process that
 * forks, which takes 30 ms where the server has 500 MB, and 1 ms there; nobody is served meanwhile.
 */
export function forkProcess(args: string[]): ForkedProcess {
  clearTimeout(idle);
  forkServer ??= startForkServer();
  const to = forkServer;
  const id = nextId;
  nextId += 1;
  // Without a connection nothing is sent; `lost` says so.
  const send = (order: Order) => void (to.connected && to.send(order, () => {}));
  const child = {
    pid: undefined as number | undefined,
    taken: undefined as ((error?: Error | null) => void) | undefined,
    stdin: new Writable({
      write(input: Uint8Array, _, done) {
        child.taken = done;
        send({ id, input });
      },
      final(done) {
        send({ id, input: 'end' });
        done();
      },
    }),
    stdout: new Readable({ read() {} }),
    kill() {
      if (!processes.has(id)) return;
      send({ id, input: 'kill' });
      setTimeout(() => void (processes.has(id) && to.kill('SIGKILL')), STUCK_MS).unref();
    },
  };
  // Who feeds and reads it hears of these too.
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  processes.set(id, child);
  hold(to);
  send({ id, args });
  return child;
}

function startForkServer(): ChildProcess {
  const started = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', CHILD], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // Nothing of this process's environment: a document must not see its secrets. From source, most of its time would be compiling.
    env: { HOME: NO_HOME, USERPROFILE: NO_HOME, NODE_COMPILE_CACHE: getCompileCacheDir() },
  });
  started.on('message', (news: News) => {
    const child = processes.get(news.id);
    if (child === undefined) return;
    if ('pid' in news) child.pid = news.pid;
    else if ('taken' in news) child.taken?.();
    else if ('output' in news) child.stdout.push(news.output);
    else end(started, news);
  });
  const lost = () => {
    if (forkServer !== started) return;
    forkServer = undefined;
    started.kill('SIGKILL');
    for (const [id, child] of processes) {
      killNow(child);
      end(started, { id, failure: { message: 'The fork server ended.' } });
    }
  };
  started.on('error', lost);
  started.on('disconnect', lost);
  return started;
}

function killNow({ pid }: ForkedProcess): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function end(server: ChildProcess, { id, failure }: End): void {
  const child = processes.get(id);
  processes.delete(id);
  child?.stdin.destroy();
  if (failure === undefined) child?.stdout.push(null);
  else child?.stdout.destroy(Object.assign(new Error(failure.message), { code: failure.code }));
  hold(server);
}

/** This process waits for those it has started, but not for the fork server. */
function hold(server: ChildProcess): void {
  const toggle = processes.size > 0 ? 'ref' : 'unref';
  server[toggle]();
  server.channel?.[toggle]();
  clearTimeout(idle);
  if (processes.size > 0 || !server.connected) return;
  idle = setTimeout(() => server.disconnect(), IDLE_MS).unref();
}
