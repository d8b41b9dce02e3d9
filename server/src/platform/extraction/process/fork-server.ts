import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** What the fork server is asked. */
export type Order = { id: number; args: string[] } | { id: number; input: Uint8Array | 'end' | 'kill' };
/** What it reports of a process: its start, that it accepted input, its output, and last its end, with why it failed. */
export type ProcessEvent =
  | { id: number; pid: number | undefined }
  | { id: number; accepted: true }
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
/** A forked process, and what to call when it has accepted its input. */
interface Child extends ForkedProcess {
  accepted?: () => void;
}
const processes = new Map<number, Child>();

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
  const child: Child = {
    pid: undefined,
    stdin: new Writable({
      write(input: Uint8Array, _, done) {
        child.accepted = done;
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
  started.on('message', (event: ProcessEvent) => {
    const child = processes.get(event.id);
    if (child === undefined) return;
    if ('pid' in event) child.pid = event.pid;
    else if ('accepted' in event) child.accepted?.();
    else if ('output' in event) child.stdout.push(event.output);
    else end(started, event);
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
