import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import busboy from 'busboy';
import { AppError } from '../errors.ts';
import { outageOf } from '../outage.ts';
import { UNSTORABLE, unstorableField } from './storable.ts';

/** A received file, stored in our folder until `discard`. */
export interface Received {
  path: string;
  /** The browser's name for it, without folders. */
  name: string;
  /** In bytes. */
  size: number;
  /** Its first bytes, at most 4,096. */
  head: Buffer;
  discard(): Promise<void>;
}

const HEAD = 4_096;
/** What a multipart body contains beside the file. */
const FRAME = 16 * 1024;

/**
 * Receives the one file of a multipart body, piece by piece into a folder. Throws 413 as soon as it is known to be too large (before
 * reading anything, when the request names its length) and 400 without a file; leaves nothing behind then.
 */
export async function receiveFile(
  request: Request,
  options: { field: string; maxBytes: number; folder: string; tooLarge: string },
): Promise<Received> {
  const tooLarge = new AppError('too_large', options.tooLarge, { field: options.field });
  if (Number(request.headers.get('content-length') ?? 0) > options.maxBytes + FRAME) throw tooLarge;
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const path = join(options.folder, randomUUID());
  const discard = () => rm(path, { force: true });
  try {
    const received = await parse(request, options.field, options.maxBytes, path);
    if (received === 'too large') throw tooLarge;
    if (received === null) {
      throw new AppError('invalid_input', `Send the file as multipart/form-data in the field “${options.field}”.`, {
        field: options.field,
      });
    }
    return { ...received, path, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

type Parsed = Omit<Received, 'path' | 'discard'> | 'too large' | null;

async function parse(request: Request, field: string, maxBytes: number, path: string): Promise<Parsed> {
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  if (request.body === null || !headers['content-type'].startsWith('multipart/form-data')) return null;
  const body = Readable.fromWeb(request.body as NodeStream);
  const limits = { files: 1, fields: 20, fieldSize: 1024, parts: 25, fileSize: maxBytes };
  const parser = startParser(headers, limits);
  let exceeded = false;
  let badName = false;
  let unstored: Error | undefined;
  let stored: Promise<Parsed> | undefined;
  parser.on('file', (name, stream, info) => {
    if (name !== field || stored !== undefined) {
      // The pipeline reports a body that breaks off here; without a listener, this stream's own error would end the process.
      stream.on('error', () => {}).resume();
      return;
    }
    stream.once('limit', () => {
      exceeded = true;
      // Beyond the limit, the rest of the body isn't needed.
      body.destroy();
    });
    badName = unstorableField(info.filename) !== null;
    // How browsers escape a quotation mark.
    stored = store(stream, (info.filename ?? '').replaceAll('%22', '"'), path);
    stored.catch((error: unknown) => {
      // The disk refused: the rest of the body would wait forever to be read.
      if (body.errored !== null || outageOf(error) === null || !(error instanceof Error)) return;
      unstored = error;
      body.destroy(error);
    });
  });
  const whole = await pipeline(body, parser).then(
    () => true,
    () => false,
  );
  if (exceeded) {
    await stored?.catch(() => null);
    return 'too large';
  }
  if (badName) throw new AppError('invalid_input', UNSTORABLE, { field });
  if (unstored !== undefined) throw unstored;
  if (!whole) throw new AppError('invalid_input', 'The upload ended before the file was complete.', { field });
  return stored ?? null;
}

function startParser(headers: { 'content-type': string }, limits: busboy.Limits) {
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8' });
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
