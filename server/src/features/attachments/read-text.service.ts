import { createReadStream } from 'node:fs';
import type { FileKind } from '@atelier/contract/files';
import { AppError } from '../../platform/errors.ts';
import { type Extracted, type ExtractOptions, isNote } from '../../platform/extraction/extract.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import type { Received } from '../../platform/http/upload.ts';
import type { Log } from '../../platform/log.ts';
import { createTurns } from '../../platform/turns.ts';
import { checkType } from '../files/file-names.service.ts';
import { noteOf, readUpload } from '../files/uploads.service.ts';

/** Somebody waits for it, so it takes less time than a file of an agent. */
const READING_MS = 30_000;
/** Recognizing text in scanned pages takes longer. */
const RECOGNIZING_MS = 90_000;
/** How much text of one attachment is kept, in characters; no model reads more at once. */
const TEXT_MAX = 400_000;

/** Each reader is a process of its own. Accounts take turns, and a short text waits neither for long documents nor for text recognition. */
const turns = { short: createTurns(2), documents: createTurns(2), pictures: createTurns(1) };
type Lane = keyof typeof turns;

/** A file of one of these kinds unpacks to nothing longer; up to so many bytes it is read within a second. */
const BARE = new Set('plain markdown csv json jsonl yaml xml html notebook subtitles'.split(' '));
const SHORT_MAX = 256 * 1024;

interface Reading {
  log: Log;
  /** Whose turn it takes. */
  uid: string;
  /** Aborts when nobody waits for the text any more. */
  signal: AbortSignal;
}

/** The type and text of an uploaded file, when it is the account's turn. 415 with a sentence when it can't be read. */
export async function readText(by: Reading, name: string, received: Pick<Received, 'path' | 'head' | 'size'>) {
  const { kind, type } = checkType({ ...received, name });
  const read = await extract(by, kind, received).catch((error: unknown) => {
    if (error instanceof Unreadable) throw new AppError('unsupported_type', error.message, { field: 'file' });
    if (by.signal.aborted) throw new AppError('unavailable', 'The request ended before the file was read.');
    throw error;
  });
  const text = textOf(read.passages);
  const kept = text.slice(0, TEXT_MAX).toWellFormed();
  const only = kept.length < text.length ? `${TEXT_MAX.toLocaleString('en-US')} characters` : read.only;
  return { type, kind: 'file' as const, text: kept, note: noteOf({ ...read, only }) };
}

async function extract(
  { log, uid, signal }: Reading,
  kind: FileKind,
  { path, size }: Pick<Received, 'path' | 'size'>,
): Promise<Extracted> {
  const readNow = (options: ExtractOptions) => readUpload(kind, createReadStream(path), { ...options, size, signal });
  // It waits for nobody.
  if (isNote(kind, size)) return readNow({});
  const read = (lane: Lane, options: ExtractOptions) => turns[lane].take(uid, signal, () => readNow(options));
  const lane = size <= SHORT_MAX && BARE.has(kind) ? 'short' : 'documents';
  if (kind !== 'picture') {
    const first = await read(lane, { timeoutMs: READING_MS, recognize: 'later' });
    if (!first.pictures) return first;
  }
  try {
    return await read('pictures', {
      timeoutMs: RECOGNIZING_MS,
      recognize: 'now',
      onFailure: (reason) => log.info('attachments.recognition_failed', { reason }),
    });
  } catch (error) {
    if (!(error instanceof Unreadable) || kind === 'picture') throw error;
    return read(lane, { timeoutMs: READING_MS, recognize: 'never' });
  }
}

/** The passages as one text; each place is named once. */
function textOf(passages: Extracted['passages']): string {
  let last = '';
  return passages
    .map(({ place, text }) => {
      const named = place === last || place === '' ? text : `[${place}]\n${text}`;
      last = place;
      return named;
    })
    .join('\n\n')
    .replaceAll('\0', '');
}
