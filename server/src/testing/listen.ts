import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets a server of a test listen on loopback; port 0 takes a free one. */
export async function listen(server: Server, port = 0, host = '127.0.0.1') {
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done));
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    origin: `http://127.0.0.1:${taken}`,
    /** Ends it with its connections. */
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A port that nobody uses now, for who must know it before its server starts; throws where the given one is taken. */
export async function freePort(wanted = 0, host?: string): Promise<number> {
  const { port, close } = await listen(createServer(), wanted, host);
  await close();
  return port;
}

/** After this long a start hangs; a busy machine needs minutes for a first one. */
const START_HANGS_MS = 280_000;
/** Of what a process says, the end is kept. */
const KEPT = 1024 * 1024;

/** Waits for words of a process that match; throws with what it said when it ends instead. */
export function untilSays(child: ChildProcess, pattern: RegExp) {
  let said = '';
  return new Promise<{ match: RegExpExecArray; said: () => string }>((done, failed) => {
    const fail = (how: string) => failed(new Error(`${child.spawnargs.join(' ')} ${how}:\n${said}`));
    const timer = setTimeout(() => fail('does not start'), START_HANGS_MS);
    let isDone = false;
    const hear = (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-KEPT);
      const match = isDone ? null : pattern.exec(said);
      if (match === null) return;
      isDone = true;
      clearTimeout(timer);
      done({ match, said: () => said });
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}

/** Where a process says that it listens, and which process that is. */
export async function untilListens(child: ChildProcess) {
  const { match, said } = await untilSays(child, /listens on (\S+) \(pid (\d+)\)/u);
  return { url: match[1] ?? '', pid: Number(match[2]), said };
}

/** Ends a process, unless it has ended already. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

const pem = readFileSync(new URL('./self-signed.pem', import.meta.url));
/** A certificate that only tests use, signed by nobody but itself, and its key. */
export const SELF_SIGNED = { key: pem, cert: pem };
