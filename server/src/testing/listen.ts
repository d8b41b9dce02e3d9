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

/** Where a process says that it listens, and which process that is; throws with what it said when it ends instead. */
export function untilListens(child: ChildProcess) {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk));
  return new Promise<{ url: string; pid: number; said: () => string }>((done, failed) => {
    const look = () => {
      const { url, pid } = /listens on (?<url>\S+) \(pid (?<pid>\d+)\)/u.exec(said)?.groups ?? {};
      if (url === undefined) return;
      child.stdout?.off('data', look);
      done({ url, pid: Number(pid), said: () => said });
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => failed(new Error(`${child.spawnargs.join(' ')} ended with ${code}:\n${said}`)));
  });
}
