import {
  ATTACHMENTS_MAX,
  attachmentAnswer,
  attachmentCalls,
  TOO_MANY_ATTACHED,
} from '@atelier/contract/attachments/attachments';
import { refusal } from '@atelier/contract/files';
import { z } from 'zod';
import { addressOf, errorText, request } from '../../../lib/http.ts';
import { noticeRefusal } from '../../../lib/query.ts';
import { sendFile } from '../../../lib/send-file.ts';
import { typed } from '../../../lib/typed/typed.ts';
import { dropFile, keepFile, readFile } from './chosen-files.ts';
import type { Pending } from './pending.ts';
import { pending } from './pending-store.ts';
import { isPictureFile, NotAttachable, preparePicture } from './prepare-picture.ts';

const NOT_KEPT = 'This file was not uploaded, and could not be kept. Remove it, and attach it again.';

/** The uploads that wait or run. */
const stops = new Map<string, AbortController>();
/** What was chosen on this page and is not uploaded yet. */
const chosen = new Map<string, File>();
/** One after another: the network is the bottleneck, and each picture takes memory. */
let last: Promise<void> = Promise.resolve();

typed.subscribe(() => {
  if (typed.isPresent()) return;
  for (const stop of stops.values()) stop.abort();
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
    if (one.stored === undefined && one.error === undefined && !stops.has(one.id)) begin(sessionId, one);
  }
}

function begin(sessionId: string, one: Pick<Pending, 'id' | 'kind'>): void {
  stops.set(one.id, new AbortController());
  last = last.then(() => upload(sessionId, one));
}

async function upload(sessionId: string, { id, kind }: Pick<Pending, 'id' | 'kind'>): Promise<void> {
  const stop = stops.get(id);
  if (stop === undefined || stop.signal.aborted) return;
  const change = (part: Partial<Pending>) => pending.change(sessionId, id, part);
  let isOver = true;
  try {
    const file = chosen.get(id) ?? (await readFile(id));
    if (file === undefined) throw new NotAttachable(NOT_KEPT);
    const ready = kind === 'picture' ? await preparePicture(file) : file;
    const onProgress = (share: number) => change({ share });
    const where = addressOf(attachmentCalls.add, { params: { sessionId } });
    const { attachment } = await sendFile(attachmentAnswer, where, ready, onProgress, stop.signal);
    change({ share: 1, stored: attachment });
  } catch (error) {
    await noticeRefusal(error);
    // The sign-in has ended: it goes on once the person is back.
    isOver = stop.signal.aborted || typed.isPresent();
    if (isOver && !stop.signal.aborted)
      change({ error: error instanceof NotAttachable ? error.message : errorText(error) });
  } finally {
    stops.delete(id);
    if (isOver) release(id);
  }
}

/** The file itself is not needed any more. */
function release(id: string): void {
  chosen.delete(id);
  void dropFile(id);
}

/** Forgets a file that was removed from the composer, on the server too if it is there. */
export function discard({ id, stored }: Pending): void {
  stops.get(id)?.abort();
  release(id);
  // What stays there, for example offline, is removed after a day.
  if (stored) void request(z.unknown(), 'DELETE', stored.url).catch(() => undefined);
}
