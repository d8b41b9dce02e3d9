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
