import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { Log } from './log.ts';

const request = z.strictObject({ args: z.array(z.string().max(2000)).max(20) });
const reply = z.strictObject({ ok: z.boolean(), message: z.string() });
/** The result of a command, in a sentence for the operator. */
export type Reply = z.infer<typeof reply>;

const MAX_CHARS = 1024 * 1024;
const PATIENCE_MS = 10_000;
/** A command may have to ask other servers. */
const ANSWER_MS = 60_000;
/** The operating system allows about a hundred bytes for a socket's path. */
const MAX_PATH_BYTES = 100;

/** The socket in a data folder, by its shorter name. */
function socketPath(folder: string): string {
  const path = join(folder, 'admin.sock');
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}

/**
 * Accepts the operator's commands for a running server, on a socket in its data folder that only the folder's owner may open. The caller
 * holds the folder's lock, so an existing socket is a dead one. Resolves to a function that stops it; without a usable path it serves
 * nothing and logs why.
 */
export async function serveCommands(options: {
  folder: string;
  log: Log;
  run: (args: string[]) => Promise<Reply>;
}): Promise<() => Promise<void>> {
  const path = socketPath(options.folder);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    options.log.info('admin.no_socket', { reason: 'the path of the data folder is too long' });
    return async () => {};
  }
  rmSync(path, { force: true });
  const server = createServer((socket) => void converse(socket, options));
  await new Promise<void>((done, fail) => {
    // Not `once`: a connection that can't be accepted is an error too.
    server.on('error', fail);
    server.listen(path, done);
    // It is bound by now, and has accepted nothing yet.
    chmodSync(path, 0o600);
  });
  server.unref();
  return () => new Promise((done) => server.close(() => done()));
}

async function converse(socket: Socket, { run, log }: { run: (args: string[]) => Promise<Reply>; log: Log }) {
  try {
    const { args } = request.parse(JSON.parse(await readLine(socket)));
    socket.setTimeout(0);
    socket.end(`${JSON.stringify(await run(args))}\n`);
  } catch (error) {
    log.error('admin.failed', error);
    socket.end(`${JSON.stringify({ ok: false, message: 'The command failed; the server’s log says why.' })}\n`);
  }
}

/** Sends a command to the server that runs on the folder; null when none is listening. Throws when the connection breaks. */
export async function sendCommand(folder: string, args: string[]): Promise<Reply | null> {
  const path = socketPath(folder);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return null;
  const socket = await new Promise<Socket | null>((done, fail) => {
    const opening: Socket = connect(path, () => done(opening));
    opening.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? done(null) : fail(error),
    );
  });
  if (socket === null) return null;
  socket.write(`${JSON.stringify({ args })}\n`);
  return reply.parse(JSON.parse(await readLine(socket, ANSWER_MS)));
}

function readLine(socket: Socket, patienceMs = PATIENCE_MS): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    socket.setEncoding('utf8').setTimeout(patienceMs, () => socket.destroy(new Error('no answer in time')));
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the connection was closed too early')));
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) done(text.slice(0, end));
      else if (text.length > MAX_CHARS) socket.destroy(new Error('the line is too long'));
    });
  });
}
