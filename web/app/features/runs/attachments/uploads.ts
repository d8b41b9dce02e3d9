import {
  ATTACHMENTS_MAX,
  attachmentAnswer,
  attachmentCalls,
  TOO_MANY_ATTACHED,
} from '@atelier/contract/attachments/attachments';
import { refusal } from '@atelier/contract/files';
import { z } from 'zod';
import { addressOf, errorText, request } from '../../../lib/http.ts';
import { typed } from '../../../lib/typed/typed.ts';
import { sendFile } from '../../../lib/uploads/send-file.ts';
import { isUploading, startUpload, stopUploads } from '../../../lib/uploads/upload-line.ts';
import { dropFile, keepFile, readFile } from './chosen-files.ts';
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
