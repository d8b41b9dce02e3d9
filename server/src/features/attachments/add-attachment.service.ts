import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { FILE_LIMITS, FILE_SENTENCES, type FileKind, isPictureName } from '@atelier/contract/files';
import { v7 as uuidv7 } from 'uuid';
import type { Authorized } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { type Extracted, type ExtractOptions, isNote } from '../../platform/extraction/extract.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import type { Received } from '../../platform/http/upload.ts';
import type { Log } from '../../platform/log.ts';
import { readPicture } from '../../platform/pictures/read-picture.ts';
import { createTurns } from '../../platform/turns.ts';
import { checkType, shownName } from '../files/file-names.service.ts';
import { noteOf, readUpload, recognizing, storeUpload } from '../files/uploads.service.ts';
import { ofUser } from './attachments.queries.ts';
import { type AttachmentRow, attachmentColumns, attachments } from './attachments.table.ts';

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
const BARE = new Set<FileKind>([
  'plain',
  'markdown',
  'csv',
  'json',
  'jsonl',
  'yaml',
  'xml',
  'html',
  'notebook',
  'subtitles',
]);
const SHORT_MAX = 256 * 1024;

const NEVER = new AbortController().signal;

/**
 * Keeps an uploaded picture or file for a message of the session, as `storeUpload` does. It is looked into first, so whatever is kept can be
 * sent: 400 for an empty one, 413 for a picture that is too large, 415 for what can't be shown or read, 503 when the signal aborts before.
 */
export async function addAttachment(
  ctx: Deps,
  { userId, id: sessionId }: { userId: string; id: string },
  received: Received,
  { id = uuidv7(), signal = NEVER }: { id?: string; signal?: AbortSignal } = {},
): Promise<Authorized<AttachmentRow>> {
  const name = shownName(received.name);
  const content =
    isPictureName(name) && received.size > 0
      ? await takePicture(received)
      : await readText({ log: ctx.log, uid: userId, signal }, name, received);
  return storeUpload(
    ctx,
    { userId, id, sessionId, name, size: received.size, ...content },
    received.path,
    async (tx) => {
      const [row] = await tx
        .update(attachments)
        .set({ state: 'ready' })
        .where(ofUser(userId, [id]))
        .returning(attachmentColumns);
      return row;
    },
  );
}

/** The received file becomes the picture without its notes. */
async function takePicture({ path, size }: Received) {
  const field = 'file';
  const { pictureBytes, pixels, side } = FILE_LIMITS;
  if (size > pictureBytes) throw new AppError('too_large', FILE_SENTENCES.pictureTooLarge, { field });
  const picture = await readPicture(await readFile(path));
  if (picture === null) throw new AppError('unsupported_type', FILE_SENTENCES.noPicture, { field });
  const { type, width, height } = picture;
  if (width * height > pixels || Math.max(width, height) > side)
    throw new AppError('too_large', FILE_SENTENCES.tooManyPixels, { field });
  await writeFile(path, picture.bare);
  return { type, kind: 'picture' as const, width, height, size: picture.bare.length };
}

interface Reading {
  log: Log;
  /** Whose turn it takes. */
  uid: string;
  /** Aborts when nobody waits for the text any more. */
  signal: AbortSignal;
}

/** The type and text of an uploaded file, when it is the account's turn. 415 with a sentence when it can't be read. */
export async function readText(by: Reading, name: string, received: Omit<Received, 'name'>) {
  const { kind, type } = checkType({ ...received, name });
  const read = await extract(by, kind, received).catch((error: unknown) => {
    if (error instanceof Unreadable) throw new AppError('unsupported_type', error.message, { field: 'file' });
    if (by.signal.aborted) throw new AppError('unavailable', 'The request ended before the file was read.');
    throw error;
  });
  const text = textOf(read.passages);
  const excerpt = text.slice(0, TEXT_MAX).toWellFormed();
  const only = excerpt.length < text.length ? `${TEXT_MAX.toLocaleString('en-US')} characters` : read.only;
  return { type, kind: 'file' as const, text: excerpt, note: noteOf({ ...read, only }) };
}

async function extract(
  { log, uid, signal }: Reading,
  kind: FileKind,
  { path, size }: Pick<Received, 'path' | 'size'>,
): Promise<Extracted> {
  const onFailure = (reason: string) => log.info('attachments.reading_failed', { reason });
  const readNow = (options: ExtractOptions) =>
    readUpload(kind, createReadStream(path), { ...options, size, signal, onFailure });
  // It waits for nobody.
  if (isNote(kind, size)) return readNow({});
  const read = (lane: Lane, options: ExtractOptions) => turns[lane].take(uid, signal, () => readNow(options));
  const lane = size <= SHORT_MAX && BARE.has(kind) ? 'short' : 'documents';
  if (kind !== 'picture') {
    const first = await read(lane, { timeoutMs: READING_MS, recognize: 'later' });
    if (!first.pictures) return first;
  }
  return recognizing(kind, (recognize) =>
    recognize === 'now'
      ? read('pictures', { timeoutMs: RECOGNIZING_MS, recognize })
      : read(lane, { timeoutMs: READING_MS, recognize }),
  );
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
