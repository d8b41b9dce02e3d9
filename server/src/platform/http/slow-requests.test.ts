import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isUpload } from '../../features/files/files.routes.ts';
import { endSlowBodies, headerBounds } from './slow-requests.ts';

const BOUNDS = { headersMs: 200, bodyMs: 200, uploadBytesPerSecond: 1_000 };
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
