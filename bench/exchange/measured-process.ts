import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type CountedWork, everything } from '../../server/src/testing/wire-count.ts';

export interface Measures {
  /** Since the process began, all its threads. */
  cpuMs: number;
  rssMb: number;
  /** Sent to the database since the process began. */
  statements: number;
  /** Requests of exchanges since the last question. */
  counted: { request: string; work: CountedWork }[];
}

const QUESTION = 'measures';
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Lets the parent process ask this one. */
export function answerMeasures(takeCounted: () => Measures['counted'] = () => []): void {
  process.on('message', (message) => {
    if (message !== QUESTION) return;
    const { user, system } = process.cpuUsage();
    const measures: Measures = {
      cpuMs: (user + system) / 1000,
      rssMb: process.memoryUsage.rss() / 1024 / 1024,
      statements: everything.statements,
      counted: takeCounted(),
    };
    process.send?.(measures);
  });
}

/** The same of any process on Linux, from outside: nothing is loaded into it. */
function readMeasures(pid: number): Measures {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const kilobytes = /^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  return { cpuMs, rssMb: Number(kilobytes) / 1024, statements: 0, counted: [] };
}

export interface MeasuredProcess {
  /** What it printed that `ready` was looking for. */
  address: string;
  measure(): Promise<Measures>;
  stop(): Promise<void>;
}

/** Starts a Node process that answers measures, or is measured from outside; resolves when it has printed its address. */
export async function startMeasured(
  args: string[],
  ready: RegExp,
  { env = {}, outside = false }: { env?: Record<string, string>; outside?: boolean } = {},
): Promise<MeasuredProcess> {
  const stdio: ('ignore' | 'pipe' | 'ipc')[] = ['ignore', 'pipe', 'pipe', 'ipc'];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio });
  const abandon = () => child.kill('SIGKILL');
  process.once('exit', abandon);
  const ask = async () => {
    if (outside) return readMeasures(child.pid ?? 0);
    const answer = once(child, 'message');
    child.send(QUESTION);
    const [measures]: Measures[] = await answer;
    if (measures === undefined) throw new Error('a measured process answered nothing');
    return measures;
  };
  // One question at a time, so that each gets its own answer.
  let last: Promise<unknown> = Promise.resolve();
  return {
    address: await addressOf(child, ready),
    measure() {
      const answer = last.then(ask);
      last = answer;
      return answer;
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
