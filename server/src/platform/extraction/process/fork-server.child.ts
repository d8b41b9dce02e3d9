// Starts processes for the server and passes on what is said between both; see fork-server.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Failure, Order, ProcessEvent } from './fork-server.ts';

/** They give way to the server, which runs at 0. */
const PRIORITY = 5;
const processes = new Map<number, ChildProcess>();
// The server may have ended: then `disconnect` follows.
const tell = (event: ProcessEvent, sent: () => void = () => {}) => process.send?.(event, sent);

function start(id: number, args: string[]): void {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  processes.set(id, child);
  try {
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  } catch {
    // It has ended, or the system doesn't allow it: then it runs at normal priority.
  }
  tell({ id, pid: child.pid });
  child.stdout?.on('data', (output: Buffer) => {
    child.stdout?.pause();
    tell({ id, output }, () => child.stdout?.resume());
  });
  // One that dies while it is fed breaks the pipe; its end is told anyway.
  child.stdin?.on('error', () => {});
  const end = (failure?: Failure) => {
    if (processes.delete(id)) tell({ id, failure });
  };
  child.on('error', (error) => end(failureOf(error)));
  // A service manager ends every process at once: that says nothing about what was read.
  child.on('close', (_, signal) =>
    end(signal === 'SIGTERM' || signal === 'SIGINT' ? { message: `The process was ended by ${signal}.` } : undefined),
  );
}

const failureOf = ({ message, code }: NodeJS.ErrnoException): Failure => ({ message, ...(code && { code }) });

process.on('message', (order: Order) => {
  if ('args' in order) {
    try {
      return start(order.id, order.args);
    } catch (error) {
      return tell({ id: order.id, failure: failureOf(error as Error) });
    }
  }
  const child = processes.get(order.id);
  if (order.input === 'kill') child?.kill('SIGKILL');
  else if (order.input === 'end') child?.stdin?.end();
  else child?.stdin?.write(order.input, () => tell({ id: order.id, accepted: true }));
});
// A terminal and a service manager signal every process; the server says when this one ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
process.on('disconnect', () => {
  for (const child of processes.values()) child.kill('SIGKILL');
  process.exit(0);
});
