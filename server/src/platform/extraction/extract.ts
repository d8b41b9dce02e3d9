import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { FileKind } from '@atelier/contract/files';
import { z } from 'zod';
import { cutIntoPassages } from './passages.ts';
import { type ForkedProcess, forkProcess } from './process/fork-server.ts';
import type { Recognize } from './read-options.ts';
import { readMarkdown, readPlain } from './read-text.ts';
import { Unreadable } from './unreadable.ts';

/** What text recognition needs; these packages are optional. */
const RECOGNITION = ['tesseract.js', '@tesseract.js-data/eng/package.json', '@napi-rs/canvas'];

/** Throws when a package of text recognition is missing. */
export function requireRecognition(): void {
  for (const name of RECOGNITION) createRequire(import.meta.url).resolve(name);
}

/** What a reader exists for: every kind of file, and the article of a web page. */
export type DocumentKind = FileKind | 'article';

const passage = z.object({ place: z.string(), text: z.string() });
const link = z.object({ text: z.string(), href: z.string() });
/** One line of the reader's answer. */
const reply = z.union([
  z.object({ progress: z.string() }),
  z.object({ passages: z.array(passage) }),
  z.object({ unreadable: z.string() }),
  z.object({ pictures: z.literal(true) }),
  z.object({ failure: z.string() }),
  z.object({ title: z.string(), only: z.string().nullable(), notes: z.array(z.string()), links: z.array(link) }),
]);

export interface Extracted {
  title: string;
  passages: z.infer<typeof passage>[];
  /** What was kept, if not the whole document, for people: `5,000 passages`. */
  only: string | null;
  /** What else a person should know about the reading, in sentences. */
  notes: string[];
  /** Where a web page leads on to, as written there. */
  links: z.infer<typeof link>[];
  /** Nothing was read, because some of the document are pictures of text, to be recognized later. */
  pictures: boolean;
}

const CHILD = fileURLToPath(new URL('./process/extract.child.ts', import.meta.url));
const HEAP_MB = 512;
const RSS_MAX = 900 * 1024 * 1024;
const OUTPUT_MAX = 96 * 1024 * 1024;
const LOOK_EVERY_MS = 200;
const TOO_MUCH = 'Reading this file takes too much memory.';
/** Plain text up to so many bytes is read within milliseconds; a process of its own would only take longer to start. */
const NOTE_BYTES = 32 * 1024;

export interface ExtractOptions {
  /** How many bytes it has, where that is known. */
  size?: number;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Whether pictures of text are recognized; by default they are left out. */
  recognize?: Recognize;
  /** Called with how far the reader is, for people: `page 30 of 200`. */
  onProgress?: (progress: string) => void;
  /** Called with why text recognition or the reader itself failed, for the log. */
  onFailure?: (reason: string) => void;
}

/** Whether a document of this size is read at once, in this process. */
export const isNote = (kind: DocumentKind, size = Number.POSITIVE_INFINITY): kind is 'plain' | 'markdown' =>
  size <= NOTE_BYTES && (kind === 'plain' || kind === 'markdown');

/**
 * Reads a document in its own process, which is killed when it takes too long or too much; a note in this one. Throws Unreadable with a
 * sentence about the document, or the signal's reason. The caller limits how many are read at once.
 */
export async function extractDocument(
  kind: DocumentKind,
  source: Readable,
  options: ExtractOptions = {},
): Promise<Extracted> {
  try {
    options.signal?.throwIfAborted();
    if (isNote(kind, options.size)) return readHere(kind, await buffer(source));
    return await inChild(kind, source, options);
  } finally {
    source.destroy();
  }
}

function readHere(kind: 'plain' | 'markdown', data: Uint8Array): Extracted {
  const { sections } = kind === 'plain' ? readPlain(data) : readMarkdown(data);
  const { passages, only } = cutIntoPassages(sections);
  return { title: '', passages, only: only ?? null, notes: [], links: [], pictures: false };
}

async function inChild(
  kind: DocumentKind,
  source: Readable,
  { timeoutMs = 60_000, signal, recognize = 'never', ...callbacks }: ExtractOptions,
): Promise<Extracted> {
  const child = forkProcess([
    `--max-old-space-size=${HEAP_MB}`,
    '--no-warnings',
    CHILD,
    kind,
    recognize,
    `${timeoutMs}`,
  ]);
  const watch = watchOver(child, timeoutMs, signal);
  try {
    const output = collect(child, callbacks);
    // Feeding may fail first.
    output.catch(() => child.kill());
    // A child that dies while it is being fed breaks the pipe; its exit says why.
    await pipeline(source, child.stdin).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ECONNRESET')
        throw error;
    });
    const extracted = await output;
    signal?.throwIfAborted();
    if (watch.killedFor !== undefined) throw new Unreadable(watch.killedFor);
    if (extracted === undefined) throw new Unreadable(TOO_MUCH);
    return extracted;
  } finally {
    watch.stop();
    child.kill();
  }
}

/** Undefined when the reader ended before its answer was complete. Throws Unreadable when it says that. */
async function collect(
  child: ForkedProcess,
  { onProgress, onFailure }: Pick<ExtractOptions, 'onProgress' | 'onFailure'>,
): Promise<Extracted | undefined> {
  const passages: Extracted['passages'] = [];
  let end: Pick<Extracted, 'title' | 'only' | 'notes' | 'links'> | undefined;
  let [pictures, unreadable] = [false, ''];
  for await (const line of linesOf(child)) {
    const answer = reply.parse(JSON.parse(line));
    if ('progress' in answer) onProgress?.(answer.progress);
    else if ('passages' in answer) passages.push(...answer.passages);
    else if ('unreadable' in answer) unreadable = answer.unreadable;
    else if ('failure' in answer) onFailure?.(answer.failure);
    else if ('pictures' in answer) pictures = true;
    else end = answer;
  }
  if (unreadable !== '') throw new Unreadable(unreadable);
  if (pictures) return { title: '', only: null, notes: [], links: [], passages: [], pictures };
  return end === undefined ? undefined : { ...end, passages, pictures };
}

/** Each complete line of a process's output. Throws Unreadable once there is too much of it. */
async function* linesOf(child: ForkedProcess): AsyncGenerator<string> {
  let [text, bytes] = ['', 0];
  for await (const piece of child.stdout.setEncoding('utf8')) {
    bytes += Buffer.byteLength(piece);
    if (bytes > OUTPUT_MAX) throw new Unreadable(TOO_MUCH);
    text += piece;
    if (!piece.includes('\n')) continue;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
}

/** Kills the process after its time, above its memory (where the system reports it), or when the caller gives up. */
function watchOver(child: ForkedProcess, timeoutMs: number, signal: AbortSignal | undefined) {
  const watch: { killedFor: string | undefined; stop: () => void } = { killedFor: undefined, stop: () => {} };
  const kill = (reason?: string) => {
    watch.killedFor ??= reason;
    child.kill();
  };
  const timer = setTimeout(
    () => kill(`This file took longer than ${Math.round(timeoutMs / 1000)} seconds to read.`),
    timeoutMs,
  );
  const look = setInterval(async () => {
    const pages = await readFile(`/proc/${child.pid}/statm`, 'utf8').catch(() => '');
    if (Number(pages.split(' ')[1] ?? 0) * 4096 > RSS_MAX) kill(TOO_MUCH);
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
