import {
  ATTACHMENTS_MAX,
  attachmentAnswer,
  attachmentCalls,
  TOO_MANY_ATTACHED,
} from '@atelier/contract/attachments/attachments';
import { refusal } from '@atelier/contract/files';
import { z } from 'zod';
import { addressOf, errorText, request } from '../../../lib/http.ts';
import { CHOSEN_FILES, typed } from '../../../lib/typed/typed.ts';
import { KEPT_MS } from '../../../lib/typed/visits.ts';
import { sendFile } from '../../../lib/uploads/send-file.ts';
import { isUploading, startUpload, stopUploads } from '../../../lib/uploads/upload-line.ts';
import { type Pending, pending } from './pending.ts';
import { isPictureFile, notAttachable, preparePicture } from './prepare-picture.ts';

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
  const id = crypto.randomUUID();
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

interface Chosen {
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
    const [names, kept] = [await done(files.getAllKeys()), (await done(files.getAll())) as Chosen[]];
    const isOld = ({ at }: Chosen) => at + KEPT_MS <= Date.now();
    for (const [at, one] of kept.entries()) if (isOld(one)) files.delete(names[at] ?? '');
    const bytes = kept.reduce((sum, one) => sum + (isOld(one) ? 0 : one.file.size), 0);
    const chosen: Chosen = { file, name: file.name, at: Date.now() };
    if (bytes + file.size <= KEPT_BYTES) await done(files.put(chosen, id));
  });

/** The file, if it was kept. */
const readFile = (id: string): Promise<File | undefined> =>
  withFiles(async (files) => {
    const found = (await done(files.get(id))) as Chosen | undefined;
    return found && new File([found.file], found.name, { type: found.file.type });
  });

/** The file is uploaded, or not wanted any more. */
const dropFile = (id: string): Promise<void | undefined> =>
  withFiles(async (files) => void (await done(files.delete(id))));
