import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isUpload } from '../../features/files/files.routes.ts';
import { endSlowBodies, endSlowReaders, headerBounds } from './slow-requests.ts';

const BOUNDS = {
  headersMs: 200,
  bodyMs: 200,
  uploadBytesPerSecond: 1_000,
  stalledMs: 1_000,
  readBytesPerSecond: 1_000,
};
const UPLOAD = '/api/agents/field-notes/files';

let server: Server;
const read: string[] = [];
beforeAll(async () => {
  const app = new Hono().all('*', async (c) => {
    const text = await c.req.text();
    read.push(text);
    return c.text(`read ${text.length}`);
  });
  // A body that is cut off fails to be read, which is not what is tested; unhandled, it would be printed.
  app.onError((_, c) => c.text('cut off', 400));
  server = await new Promise<Server>((done) => {
    const listening = serve({ fetch: app.fetch, port: 0, serverOptions: headerBounds(BOUNDS) }, () =>
      done(listening as Server),
    );
    endSlowBodies(listening as Server, BOUNDS, isUpload);
  });
});
afterAll(() => new Promise((done) => server.close(done)));

/** A connection that says what it is told, and all that it was answered once it has ended. */
function open() {
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  // Written after the other side has gone.
  socket.on('error', () => {});
  const ended = new Promise<string>((done) => socket.once('close', () => done(answer)));
  return { socket, ended };
}

/** Sends a byte at a time without end. */
async function trickle(begin: string, byte: string): Promise<string> {
  const { socket, ended } = open();
  socket.write(begin);
  const more = setInterval(() => socket.write(byte), 20);
  const answer = await ended;
  clearInterval(more);
  return answer;
}

const head = (path: string, length: number) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

describe('a request that comes too slowly is ended with 408', () => {
  it.each([
    ['by its headers', 'GET / HTTP/1.1\r\nX: ', 'x'],
    ['by its body', head('/api/contact', 1_000_000), 'x'],
    ['by its body in chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
    ['as a file that trickles', head(UPLOAD, 1_000_000), 'x'],
    ['as a file at another address', head(`/api/contact?${UPLOAD}`, 1_000_000), 'x'],
  ])('%s', async (_what, begin, byte) => {
    expect(await trickle(begin, byte)).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
    expect(read).not.toContain('x'.repeat(1_000_000));
  });

  it('also while it brings a body that nobody reads: that is answered, and then ended', async () => {
    const answer = await trickle('GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n', 'x');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it('and so is a connection that says nothing', async () => {
    expect(await open().ended).toMatch(/^HTTP\/1\.1 408/);
  });
});

it('a connection that rests is kept for longer than a proxy keeps it', () => {
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
});

it('a file that comes steadily has its time, a whole one is read', async () => {
  const { socket, ended } = open();
  const piece = 'x'.repeat(2_000);
  socket.write(head(UPLOAD, 20_000).replace('Host: a', 'Host: a\r\nConnection: close'));
  for (let i = 0; i < 10; i += 1) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await ended).toMatch(/^HTTP\/1\.1 200 OK[^]*read 20000/);
});

describe.concurrent('an answer', () => {
  /** More than the buffers between two programs hold. */
  const LENGTH = 12_000_000;
  const listening: Server[] = [];
  afterAll(() => Promise.all(listening.map((one) => new Promise((done) => one.close(done)))));

  /** A server of long answers, and what became of them. */
  async function listen(readBytesPerSecond: number, { length = LENGTH, stalledMs = BOUNDS.stalledMs } = {}) {
    const given = Promise.withResolvers<string>();
    const pieces = () => {
      let left = length;
      return new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            left -= 50_000;
            controller.enqueue(new Uint8Array(50_000));
            if (left > 0) return;
            controller.close();
            given.resolve('ended');
          },
          cancel: () => given.resolve('cancelled'),
        },
        { highWaterMark: 0 },
      );
    };
    const app = new Hono().get('/pieces', (c) => c.body(pieces())).get('/whole', (c) => c.body('x'.repeat(LENGTH)));
    const slow = await new Promise<Server>((done) => {
      const made = serve({ fetch: app.fetch, port: 0 }, () => done(made as Server)) as Server;
    });
    listening.push(slow);
    endSlowReaders(slow, { ...BOUNDS, readBytesPerSecond, stalledMs });
    const closed = new Promise<void>((done) => {
      slow.once('connection', (socket) => socket.once('close', () => done()));
    });
    const ask = (path: string) => {
      const socket = connect((slow.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
      socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      return socket;
    };
    return { ask, closed, given: given.promise };
  }

  /** Takes a piece now and then; resolves with how much came. */
  function readSlowly(socket: Socket, pauseMs = 10): Promise<number> {
    let length = 0;
    socket.on('data', (chunk) => {
      length += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), pauseMs);
    });
    socket.resume();
    return new Promise((done) => socket.once('close', () => done(length)));
  }

  it('of which a reader takes nothing is ended, and gives back what it holds', async () => {
    const { ask, closed, given } = await listen(1_000);
    const socket = ask('/pieces');
    await closed;
    expect(await given).toBe('cancelled');
    socket.destroy();
  });

  it('of one piece is ended too', async () => {
    const { ask, closed } = await listen(1_000);
    const socket = ask('/whole');
    await closed;
    socket.destroy();
  });

  it('that is taken more slowly than any network is ended', async () => {
    const { ask, given } = await listen(1_000_000_000, { length: Number.POSITIVE_INFINITY });
    await readSlowly(ask('/pieces'));
    expect(await given).toBe('cancelled');
  });

  it.each(['/pieces', '/whole'])('that is taken slowly but steadily comes to its end: %s', async (path) => {
    // The reader lives in this process and stands still with it: a busy machine may hold both up for seconds.
    const { ask } = await listen(1_000, { stalledMs: 10_000 });
    expect(await readSlowly(ask(path), 60)).toBeGreaterThan(LENGTH);
  });
});
