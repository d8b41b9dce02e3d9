import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Unreadable } from './unreadable.ts';

export type DocumentKind = 'plain' | 'markdown' | 'csv' | 'json' | 'html' | 'article' | 'pdf' | 'docx';

const extracted = z.object({
  title: z.string(),
  passages: z.array(z.object({ place: z.string(), text: z.string() })),
  /** What was kept, if not the whole document, for people: `5,000 passages`. */
  only: z.string().nullable(),
});
export type Extracted = z.infer<typeof extracted>;
const reply = z.union([z.object({ unreadable: z.string() }), extracted]);

const CHILD = fileURLToPath(new URL('./extract.child.ts', import.meta.url));
const HEAP_MB = 256;
const RSS_MAX = 700 * 1024 * 1024;
const OUTPUT_MAX = 32 * 1024 * 1024;
const LOOK_EVERY_MS = 200;
/** Readers give way to the server, which runs at 0. */
const PRIORITY = 5;

/**
 * Reads a document in its own process, which is killed when it takes too long or too much. Throws Unreadable with a sentence about the
 * document, or the signal's reason. The caller limits how many are read at once.
 */
export async function extractDocument(
  kind: DocumentKind,
  source: Readable,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Extracted> {
  try {
    options.signal?.throwIfAborted();
    return await inChild(kind, source, options);
  } finally {
    source.destroy();
  }
}

async function inChild(
  kind: DocumentKind,
  source: Readable,
  { timeoutMs = 30_000, signal }: { timeoutMs?: number; signal?: AbortSignal },
): Promise<Extracted> {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', CHILD, kind], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // An empty environment: a document must not see this process's secrets.
    env: {},
  });
  stepBack(child);
  const watch = watchOver(child, timeoutMs, signal);
  try {
    const output = collect(child);
    // A child that dies while it is being fed breaks the pipe; its exit says why.
    await pipeline(source, child.stdin).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ECONNRESET')
        throw error;
    });
    const text = await output;
    signal?.throwIfAborted();
    if (watch.killedFor !== undefined) throw new Unreadable(watch.killedFor);
    return read(text);
  } finally {
    watch.stop();
    child.kill('SIGKILL');
  }
}

function stepBack({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, PRIORITY);
  } catch {
    // It has ended, or the system doesn't allow it: then it runs at normal priority.
  }
}

function read(text: string): Extracted {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Unreadable('Reading this file takes too much memory.');
  }
  const answer = reply.parse(parsed);
  if ('unreadable' in answer) throw new Unreadable(answer.unreadable);
  return answer;
}

function collect(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_MAX) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('error', reject);
    child.stdout?.on('error', reject);
    child.once('close', () => resolve(bytes > OUTPUT_MAX ? '' : Buffer.concat(chunks).toString()));
  });
}

/** Kills the process after its time, above its memory (where the system reports it), or when the caller gives up. */
function watchOver(child: ChildProcess, timeoutMs: number, signal: AbortSignal | undefined) {
  const watch: { killedFor: string | undefined; stop: () => void } = { killedFor: undefined, stop: () => {} };
  const kill = (reason?: string) => {
    watch.killedFor ??= reason;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(
    () => kill(`This file took longer than ${Math.round(timeoutMs / 1000)} seconds to read.`),
    timeoutMs,
  );
  const look = setInterval(async () => {
    const pages = await readFile(`/proc/${child.pid}/statm`, 'utf8').catch(() => '');
    if (Number(pages.split(' ')[1] ?? 0) * 4096 > RSS_MAX) {
      kill('Reading this file takes too much memory.');
    }
  }, LOOK_EVERY_MS);
  const abort = () => kill();
  signal?.addEventListener('abort', abort, { once: true });
  watch.stop = () => {
    clearTimeout(timer);
    clearInterval(look);
    signal?.removeEventListener('abort', abort);
  };
  return watch;
}
