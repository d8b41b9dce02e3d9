import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleServer } from '../../server/src/testing/bundle.ts';

export interface Measures {
  /** Since the process began, all its threads. */
  cpuMs: number;
  rssMb: number;
  /** Sent to the database since the process began; counted only by a server that runs from source. */
  statements: number;
}

export interface MeasuredProcess {
  /** What it printed that `ready` was looking for. */
  address: string;
  measure(): Promise<Measures>;
  stop(): Promise<void>;
}

const here = (file: string) => join(import.meta.dirname, file);
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** What a process takes, read from outside (Linux only): nothing is loaded into it. */
export function readMeasures(pid: number): Omit<Measures, 'statements'> {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const kilobytes = /^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, rssMb: Number(kilobytes) / 1024 };
}

/** As `npm start` sets them. */
const SERVER_FLAGS: string[] = JSON.parse(readFileSync(here('../../scripts/server-flags.json'), 'utf8'));

/** What is started for which question: `npm start`'s bundle for speed and memory, the source for counting. */
const PROGRAMS = {
  shipped: () => [...SERVER_FLAGS, bundleServer()],
  counted: () => ['--import', here('count-in-server.ts'), here('../../server/src/main.ts')],
};

/** A server on a free port. Bounds of single accounts are raised, because these never pause. */
export const startMeasuredServer = (program: keyof typeof PROGRAMS, env: Record<string, string>) =>
  startMeasured(PROGRAMS[program](), /listens on (http:\/\/\S+)/u, { PORT: '0', ACCOUNT_BOUNDS: '1000', ...env });

/** A model provider on loopback, in a process of its own. */
export const startProvider = () => startMeasured([here('provider.ts')], /provider at (\S+)/u);

async function startMeasured(
  args: string[],
  ready: RegExp,
  env: Record<string, string> = {},
): Promise<MeasuredProcess> {
  const stdio: ('ignore' | 'pipe' | 'ipc')[] = ['ignore', 'pipe', 'pipe', 'ipc'];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio });
  const abandon = () => child.kill('SIGKILL');
  process.once('exit', abandon);
  const counts = args.includes('--import');
  return {
    address: await addressOf(child, ready),
    async measure() {
      if (!counts) return { ...readMeasures(child.pid ?? 0), statements: 0 };
      const answer = once(child, 'message');
      child.send('statements');
      const [statements]: number[] = await answer;
      return { ...readMeasures(child.pid ?? 0), statements: statements ?? Number.NaN };
    },
    async stop() {
      process.off('exit', abandon);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function addressOf(child: ChildProcess, ready: RegExp): Promise<string> {
  let said = '';
  return new Promise((done, failed) => {
    const read = (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-8000);
      const found = ready.exec(said)?.[1];
      if (found !== undefined) done(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => failed(new Error(`${child.spawnargs.join(' ')} ended with ${code}:\n${said}`)));
  });
}
