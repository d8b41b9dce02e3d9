import type { ChildProcess } from 'node:child_process';
import type { Server } from 'node:http';
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

/** After this long a start hangs; a busy machine needs minutes for a first one. */
const START_HANGS_MS = 280_000;
/** Of what a process says, the end is kept. */
const KEPT = 1024 * 1024;

/** Where a process says that it listens, and which process that is; throws with what it said when it ends instead. */
export function untilListens(child: ChildProcess) {
  let said = '';
  const keep = (chunk: Buffer) => (said = `${said}${chunk}`.slice(-KEPT));
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', keep);
  return new Promise<{ url: string; pid: number; said: () => string }>((done, failed) => {
    const fail = (how: string) => failed(new Error(`${child.spawnargs.join(' ')} ${how}:\n${said}`));
    const timer = setTimeout(() => fail('does not listen'), START_HANGS_MS);
    const look = () => {
      const { url, pid } = /listens on (?<url>\S+) \(pid (?<pid>\d+)\)/u.exec(said)?.groups ?? {};
      if (url === undefined) return;
      clearTimeout(timer);
      child.stdout?.off('data', look);
      done({ url, pid: Number(pid), said: () => said });
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}
