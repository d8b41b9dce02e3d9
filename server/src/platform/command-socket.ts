import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { Log } from './log.ts';

/** A list of emails is one word. */
const request = z.strictObject({ args: z.array(z.string().max(500_000)).max(20) });
const reply = z.strictObject({ ok: z.boolean(), message: z.string() });
/** The result of a command, in a sentence for the operator. */
export type Reply = z.infer<typeof reply>;
/** Carries a command out; `gone` is aborted when whoever sent it has closed the connection. */
type Run = (args: string[], gone: AbortSignal) => Promise<Reply>;

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
export async function serveCommands(options: { folder: string; log: Log; run: Run }): Promise<() => Promise<void>> {
  const path = socketPath(options.folder);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    options.log.info('admin.no_socket', { reason: 'the path of the data folder is too long' });
    return async () => {};
  }
  rmSync(path, { force: true });
  /** Who may send another command, or is copying meanwhile. */
  const idle = new Set<Socket>();
  const server = createServer((socket) => void converse(socket, idle, options));
  await new Promise<void>((done, fail) => {
    // Not `once`: a connection that can't be accepted is an error too.
    server.on('error', fail);
    server.listen(path, done);
    // It is bound by now, and has accepted nothing yet.
    chmodSync(path, 0o600);
  });
  server.unref();
  return () =>
    new Promise((done) => {
      server.close(() => done());
      for (const socket of idle) socket.destroy();
    });
}

/** Answers one command after another, as long as the other side stays. */
async function converse(socket: Socket, idle: Set<Socket>, { run, log }: { run: Run; log: Log }) {
  const gone = new AbortController();
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  idle.add(socket);
  try {
    for await (const line of linesOf(socket)) {
      idle.delete(socket);
      const { args } = request.parse(JSON.parse(line));
      socket.setTimeout(0);
      socket.write(`${JSON.stringify(await run(args, gone.signal))}\n`);
      idle.add(socket);
    }
    socket.end();
  } catch (error) {
    log.error('admin.failed', error);
    if (socket.writable) {
      socket.end(`${JSON.stringify({ ok: false, message: 'The command failed; the server’s log says why.' })}\n`);
    }
  } finally {
    idle.delete(socket);
    gone.abort();
  }
}

async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    if (text.length > MAX_CHARS) throw new Error('the line is too long');
    yield* lines;
  }
}

/** The way to the server that runs on the folder; null when none is listening. */
export async function connectCommands(folder: string) {
  const path = socketPath(folder);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return null;
  const socket = await new Promise<Socket | null>((done, fail) => {
    const opening: Socket = connect(path, () => done(opening));
    opening.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? done(null) : fail(error),
    );
  });
  if (socket === null) return null;
  const lines = linesOf(socket);
  return {
    /** Rejects when the connection breaks or no answer comes in time. */
    async send(args: string[]): Promise<Reply> {
      socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer in time')));
      socket.write(`${JSON.stringify({ args })}\n`);
      const { value, done } = await lines.next();
      socket.setTimeout(0);
      if (done === true) throw new Error('the connection was closed too early');
      return reply.parse(JSON.parse(value));
    },
    close: () => void socket.destroy(),
  };
}

/** Sends a command to the server that runs on the folder; null when none is listening. Throws when the connection breaks. */
export async function sendCommand(folder: string, args: string[]): Promise<Reply | null> {
  const connection = await connectCommands(folder);
  return (await connection?.send(args).finally(connection.close)) ?? null;
}
