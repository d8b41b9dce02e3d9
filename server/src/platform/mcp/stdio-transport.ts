import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { parsedJson } from '../parsed-json.ts';
import type { StdioServer } from './mcp-connection.ts';
import { readMessage } from './read-message.ts';

/** The limit for one message, and for everything that arrives between two of our requests. */
const MESSAGE_MAX = 8 * 1024 * 1024;
const UNASKED_MAX = 16 * 1024 * 1024;

/** Node writes some twenty lines below the one that says what is wrong. */
const LINES_MAX = 30;
const LINE_MAX = 300;
const KEPT_CHARS = LINES_MAX * LINE_MAX;

/** What programs need to be found and to start, and nothing else of this process's: the configuration lists what a server needs. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, ...others } = getDefaultEnvironment();
  return process.platform === 'win32' ? { PATH, ...others } : { PATH, HOME };
}

/** A server as a child process, one message per line. A server that floods is ended before it fills the memory. */
export class BoundedStdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: StdioServer;
  readonly #decoder = new TextDecoder();
  #written = '';
  #child: ChildProcess | undefined;
  #partialLine: Buffer[] = [];
  #heldBytes = 0;
  #unasked = 0;
  /** How the process ended, in a sentence; empty while it runs. */
  ending = '';

  constructor(server: StdioServer) {
    this.#server = server;
  }

  /** The last lines that it wrote for its operator, whatever it sends. */
  get lastLines(): string[] {
    const written = this.#written.split('\n').map((line) => line.trim());
    return written.filter((line) => line !== '').slice(-LINES_MAX);
  }

  start(): Promise<void> {
    const { command, args, env, folder } = this.#server;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const cwd = this.#server.cwd ?? folder;
    if (!existsSync(cwd)) return Promise.reject(new Error(`Its folder ${cwd} does not exist.`));
    const child = spawn(command, args, {
      cwd,
      env: { ...inherited(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdin?.on('error', (error) => this.onerror?.(error));
    child.stdout?.on('error', (error) => this.onerror?.(error));
    child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stderr?.on('error', () => {});
    child.stderr?.on('data', (chunk: Buffer) => this.#keep(chunk));
    child.once('close', (code, signal) => {
      this.#child = undefined;
      this.ending ||= signal === null ? `It ended with code ${code}.` : `It was ended by ${signal}.`;
      this.onclose?.();
    });
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      // Not `once`: a signal that can't be sent is an error too.
      child.on('error', (error) => {
        this.onerror?.(error);
        const isMissing = 'code' in error && error.code === 'ENOENT';
        this.ending ||= isMissing
          ? `The program “${command}” was not found.`
          : `It could not be started: ${error.message}`;
        reject(error);
      });
    });
  }

  #keep(chunk: Uint8Array): void {
    // Only the end of a large piece can be shown.
    const end = chunk.subarray(Math.max(0, chunk.length - 4 * KEPT_CHARS));
    this.#written = (this.#written + this.#decoder.decode(end, { stream: true })).slice(-KEPT_CHARS);
  }

  #take(chunk: Buffer) {
    this.#unasked += chunk.length;
    this.#heldBytes += chunk.length;
    if (this.#unasked > UNASKED_MAX || this.#heldBytes > MESSAGE_MAX) {
      this.ending = 'It sent too much and was ended.';
      this.onerror?.(new Error('the server sent too much'));
      return void this.#child?.kill('SIGKILL');
    }
    this.#partialLine.push(chunk);
    if (!chunk.includes(10)) return;
    const lines = Buffer.concat(this.#partialLine).toString('utf8').split('\n');
    const rest = Buffer.from(lines.pop() ?? '');
    this.#partialLine = rest.length > 0 ? [rest] : [];
    this.#heldBytes = rest.length;
    for (const line of lines) this.#read(line);
  }

  #read(line: string) {
    // Ignore what is not a message; servers sometimes write to the wrong stream.
    for (const message of [parsedJson(line)].flat().map(readMessage)) if (message !== null) this.onmessage?.(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#unasked = 0;
    const { stdin } = this.#child ?? {};
    if (stdin === null || stdin === undefined || !stdin.writable) throw new Error('the server has ended');
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.stdin?.end();
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 1_000);
    await ended;
    clearTimeout(timer);
  }
}
