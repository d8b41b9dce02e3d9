import {
  ATTACHMENTS_MAX,
  attachmentAnswer,
  attachmentCalls,
  TOO_MANY_ATTACHED,
} from '@atelier/contract/attachments/attachments';
import { FILE_LIMITS, FILE_SENTENCES, isPictureName, PICTURE_TYPES, refusal } from '@atelier/contract/files';
import { z } from 'zod';
import { ApiError, addressOf, errorText, request } from '../../../lib/http.ts';
import { freshId } from '../../../lib/typed/fresh-id.ts';
import { CHOSEN_FILES, typed } from '../../../lib/typed/typed.ts';
import { KEPT_MS } from '../../../lib/typed/visits.ts';
import { sendFile } from '../../../lib/uploads/send-file.ts';
import { isUploading, startUpload, stopUploads } from '../../../lib/uploads/upload-line.ts';
import { type Pending, pending } from './pending.ts';

const NOT_KEPT = 'This file was not uploaded, and could not be kept. Remove it, and attach it again.';

/** What was chosen on this page and is not uploaded yet. */
const chosen = new Map<string, File>();

typed.subscribe(() => {
  if (typed.isPresent()) return;
  stopUploads();
  chosen.clear();
});

/** Adds files to a session's composer and uploads them. Returns why some were left out, if so. */
export function attachFiles(sessionId: string, files: readonly File[]): string | undefined {
  const room = Math.max(0, ATTACHMENTS_MAX - pending.read(sessionId).length);
  for (const file of files.slice(0, room)) attachFile(sessionId, file);
  const over = files.length - room;
  if (over <= 0) return undefined;
  return `${TOO_MANY_ATTACHED} ${over === 1 ? 'One was' : `${over} were`} left out.`;
}

function attachFile(sessionId: string, file: File): void {
  const id = freshId();
  const kind = isPictureFile(file) ? 'picture' : 'file';
  // The browser may write a picture in another format, and smaller.
  const error = kind === 'picture' && file.size > 0 ? undefined : refusal(file);
  pending.add(sessionId, [{ id, name: file.name, kind, share: 0, error }]);
  if (error !== undefined) return;
  chosen.set(id, file);
  void keepFile(id, file);
  begin(sessionId, { id, kind });
}

/** Goes on with the uploads of a session that were under way when its page was left, or when the sign-in ended. */
export function resumeUploads(sessionId: string): void {
  for (const one of pending.read(sessionId)) {
    if (one.stored === undefined && one.error === undefined && !isUploading(one.id)) begin(sessionId, one);
  }
}

function begin(sessionId: string, { id, kind }: Pick<Pending, 'id' | 'kind'>): void {
  const change = (part: Partial<Pending>) => pending.change(sessionId, id, part);
  const send = async (signal: AbortSignal) => {
    const file = chosen.get(id) ?? (await readFile(id));
    if (file === undefined) throw notAttachable(NOT_KEPT);
    const ready = kind === 'picture' ? await preparePicture(file) : file;
    const where = addressOf(attachmentCalls.add, { params: { sessionId } });
    const { attachment } = await sendFile(attachmentAnswer, where, ready, (share) => change({ share }), signal);
    change({ share: 1, stored: attachment });
    release(id);
  };
  startUpload(id, send, (error) => {
    // The sign-in has ended: it goes on once the person is back.
    if (error !== undefined && !typed.isPresent()) return;
    release(id);
    if (error !== undefined) change({ error: errorText(error) });
  });
}

/** The file itself is not needed any more. */
function release(id: string): void {
  chosen.delete(id);
  void dropFile(id);
}

/** Forgets a file that was removed from the composer, on the server too if it is there. */
export function discard({ id, stored }: Pending): void {
  stopUploads([id]);
  release(id);
  // What stays there, for example offline, is removed after a day.
  if (stored) void request(z.unknown(), 'DELETE', stored.url).catch(() => undefined);
}

/** All files together, in bytes: what is beyond is kept as long as the page only. */
const KEPT_BYTES = 64 * 1024 * 1024;
const STORE = 'files';

interface StoredFile {
  file: Blob;
  name: string;
  /** When it was chosen, in milliseconds since 1970. */
  at: number;
}

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Runs `act` on the database, which is open only meanwhile: nothing holds it up when it is to be deleted. */
async function withFiles<T>(act: (files: IDBObjectStore) => Promise<T>): Promise<T | undefined> {
  try {
    const opening = indexedDB.open(CHOSEN_FILES);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await done(opening);
    try {
      return await act(database.transaction(STORE, 'readwrite').objectStore(STORE));
    } finally {
      database.close();
    }
  } catch {
    // Full or forbidden: the page itself still has the file.
    return undefined;
  }
}

/** Keeps a file that is not uploaded yet in the browser, in case the page goes away before; at most `KEPT_BYTES` together. */
const keepFile = (id: string, file: File): Promise<void | undefined> =>
  withFiles(async (files) => {
    const [names, records] = [await done(files.getAllKeys()), (await done(files.getAll())) as StoredFile[]];
    const isOld = ({ at }: StoredFile) => at + KEPT_MS <= Date.now();
    for (const [at, one] of records.entries()) if (isOld(one)) files.delete(names[at] ?? '');
    const bytes = records.reduce((sum, one) => sum + (isOld(one) ? 0 : one.file.size), 0);
    const chosen: StoredFile = { file, name: file.name, at: Date.now() };
    if (bytes + file.size <= KEPT_BYTES) await done(files.put(chosen, id));
  });

/** The file, if it was kept. */
const readFile = (id: string): Promise<File | undefined> =>
  withFiles(async (files) => {
    const record = (await done(files.get(id))) as StoredFile | undefined;
    return record && new File([record.file], record.name, { type: record.file.type });
  });

/** The file is uploaded, or not wanted any more. */
const dropFile = (id: string): Promise<void | undefined> =>
  withFiles(async (files) => void (await done(files.delete(id))));

/** Models shrink larger pictures anyway. */
const SIDE_MAX = 2_048;
/** A picture of more bytes than this is written again, smaller. */
const BYTES_MAX = 3 * 1024 * 1024;
const QUALITY = 0.9;

/** A refusal of our own, with a sentence for the person. */
const notAttachable = (sentence: string): ApiError => new ApiError(0, 'invalid_input', sentence);

/** Whether a file is to be shown to the model, not read as text. */
const isPictureFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  type.startsWith('image/') || isPictureName(name);

/** How large a picture is to be, in pixels. */
function fittingSize({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * The picture as it is sent: small enough for models, and in a format that they take. A photograph is always written again: upright, and
 * without the place where it was taken. Throws `ApiError` when the browser can't open it.
 */
async function preparePicture(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw notAttachable(FILE_SENTENCES.cantOpen);
  });
  try {
    const size = fittingSize(bitmap);
    const fits = size.width === bitmap.width && size.height === bitmap.height && file.size <= BYTES_MAX;
    if (fits && PICTURE_TYPES.includes(file.type) && file.type !== 'image/jpeg') return file;
    return await drawn(bitmap, size, file);
  } finally {
    bitmap.close();
  }
}

async function drawn(bitmap: ImageBitmap, { width, height }: { width: number; height: number }, file: File) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d');
  if (!pen) throw notAttachable(FILE_SENTENCES.cantOpen);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(bitmap, 0, 0, width, height);
  const png = file.type === 'image/jpeg' ? null : await written(canvas, 'image/png');
  if (png && png.size <= BYTES_MAX) return named(png, file.name, 'png');
  // A photograph has no transparency; elsewhere it becomes white.
  pen.globalCompositeOperation = 'destination-over';
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, width, height);
  const jpeg = await written(canvas, 'image/jpeg');
  if (!jpeg || jpeg.size > FILE_LIMITS.pictureBytes) throw notAttachable(FILE_SENTENCES.pictureTooLarge);
  return named(jpeg, file.name, 'jpg');
}

const written = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));

/** The picture under its own name, with the ending of what it is now. */
function named(blob: Blob, name: string, ending: string): File {
  const dot = name.lastIndexOf('.');
  return new File([blob], `${dot > 0 ? name.slice(0, dot) : name || 'picture'}.${ending}`, { type: blob.type });
}
