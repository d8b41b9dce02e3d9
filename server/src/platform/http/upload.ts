import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import busboy from 'busboy';
import { AppError } from '../errors.ts';
import { outageOf } from '../outage.ts';

/** A received file. */
export interface Received {
  path: string;
  /** The browser's name for it, without folders. */
  name: string;
  /** In bytes. */
  size: number;
  /** Its first bytes, at most 4,096. */
  head: Buffer;
}

const FIELD = 'file';
const HEAD = 4_096;
/** What a multipart body contains beside the file. */
const FRAME = 16 * 1024;
/** The longest refused body that is received to its end. */
const DISCARDED_MAX = 32 * 1024 * 1024;

/** The most bytes that are received, and what is said of more. */
export interface UploadLimit {
  bytes: number;
  tooLarge: string;
}

/**
 * Receives the one file of a multipart body, piece by piece to this path. Throws 413 as soon as it is known to be too large (before
 * reading anything, when the request names its length) and 400 without a file; the caller removes what came so far.
 */
export async function receiveFile(request: Request, path: string, limit: UploadLimit): Promise<Received> {
  const tooLarge = new AppError('too_large', limit.tooLarge, { field: FIELD });
  if (Number(request.headers.get('content-length') ?? 0) > limit.bytes + FRAME) throw tooLarge;
  const received = await parse(request, limit.bytes, path);
  if (received === 'too large') throw tooLarge;
  if (received === null) {
    const sentence = `Send the file as multipart/form-data in the field “${FIELD}”.`;
    throw new AppError('invalid_input', sentence, { field: FIELD });
  }
  return { ...received, path };
}

type Parsed = Omit<Received, 'path'> | 'too large' | null;

async function parse(request: Request, maxBytes: number, path: string): Promise<Parsed> {
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  if (request.body === null || !headers['content-type'].startsWith('multipart/form-data')) return null;
  const body = Readable.fromWeb(request.body as NodeStream);
  // A file that reaches the parser's limit counts as cut, also when it ends there.
  const limits = { files: 1, fields: 20, fieldSize: 1024, parts: 25, fileSize: maxBytes + 1 };
  const parser = startParser(headers, limits);
  let exceeded = false;
  let unstored: Error | undefined;
  let stored: Promise<Parsed> | undefined;
  parser.on('file', (name, stream, info) => {
    if (name !== FIELD || stored !== undefined) {
      // The pipeline reports a body that breaks off here; without a listener, this stream's own error would end the process.
      stream.on('error', () => {}).resume();
      return;
    }
    stream.once('limit', () => {
      exceeded = true;
      // The rest of a body that says its length is short, and the connection lives on; of another, nobody knows the end.
      if (request.headers.get('content-length') === null) body.destroy();
    });
    stored = store(stream, nameOf(info.filename), path);
    stored.catch((error: unknown) => {
      // The disk refused: the rest of the body would wait forever to be read.
      if (body.errored !== null || outageOf(error) === null || !(error instanceof Error)) return;
      unstored = error;
      body.destroy(error);
    });
  });
  const whole = await pipeline(body, cleanHead, parser).then(
    () => true,
    () => false,
  );
  if (exceeded) {
    await stored?.catch(() => null);
    return 'too large';
  }
  if (unstored !== undefined) throw unstored;
  if (!whole) throw new AppError('invalid_input', 'The upload ended before the file was complete.', { field: FIELD });
  return stored ?? null;
}

/** The most that the head of the first part may take. */
const HEAD_MAX = 8 * 1024;

/** The parser drops a part whose head contains control characters, which names may: they become `_`. */
async function* cleanHead(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0 && head.length < HEAD_MAX) continue;
    yield withoutControls(head, end);
    head = undefined;
  }
  if (head !== undefined) yield head;
}

function withoutControls(bytes: Buffer, end: number): Buffer {
  const lines = new Set([9, 10, 13]);
  for (const [at, byte] of bytes.subarray(0, Math.max(0, end)).entries()) {
    if ((byte < 32 && !lines.has(byte)) || byte === 127) bytes[at] = 0x5f;
  }
  return bytes;
}

/** Any bytes make a name: what no text may contain is left out, and what isn't UTF-8 was written by an older program. */
function nameOf(header: string | undefined): string {
  // How browsers escape a quotation mark.
  const name = (header ?? '').replaceAll('%22', '"');
  return fromLatin1(name).replaceAll('\0', '').toWellFormed();
}

/** The parser hands over bytes as characters. */
function fromLatin1(name: string): string {
  if (/[^\0-\u00ff]/.test(name)) return name;
  const bytes = Buffer.from(name, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Receives and discards what is left of a request's body, so that a sender who was refused early reads the answer and keeps its connection.
 * Leaves bodies of unknown or great length: their connection ends soon after the answer.
 */
export async function discardBody(request: Request): Promise<void> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (request.body === null || request.bodyUsed || !(length <= DISCARDED_MAX)) return;
  // The sender may be gone.
  await request.body.pipeTo(new WritableStream()).catch(() => {});
}

function startParser(headers: { 'content-type': string }, limits: busboy.Limits) {
  try {
    return busboy({ headers, limits, defParamCharset: 'latin1' });
  } catch {
    throw new AppError('invalid_input', 'The body is not valid multipart/form-data.');
  }
}

async function store(stream: Readable, name: string, path: string): Promise<Parsed> {
  const head: Buffer[] = [];
  let size = 0;
  await pipeline(
    stream,
    async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        if (size < HEAD) head.push(chunk.subarray(0, HEAD - size));
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  );
  return { name, size, head: Buffer.concat(head) };
}
