import { ATTACHMENT_LIMITS, ATTACHMENT_SENTENCES, refusedAttachment } from '@atelier/contract/attachments/attachable';
import { ATTACHMENTS_MAX, attachmentAnswer, TOO_MANY_ATTACHED } from '@atelier/contract/attachments/attachments';
import { FILE_SENTENCES } from '@atelier/contract/files';
import { z } from 'zod';
import { errorText, request } from '../../../lib/http.ts';
import { sendFile } from '../../../lib/send-file.ts';
import type { Pending } from './pending.ts';
import { pending } from './pending-store.ts';
import { isPictureFile, NotAttachable, preparePicture } from './prepare-picture.ts';

const stops = new Map<string, AbortController>();
/** One after another: the network is the bottleneck, and each picture takes memory. */
let last: Promise<void> = Promise.resolve();

const address = (sessionId: string) => `/api/sessions/${encodeURIComponent(sessionId)}/attachments`;

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
  const error = refusal(file, kind);
  pending.add(sessionId, [{ id, name: file.name, kind, share: 0, error }]);
  if (error !== undefined) return;
  stops.set(id, new AbortController());
  last = last.then(() => upload(sessionId, { id, kind }, file));
}

/** Why a file would be refused, checked before sending. */
function refusal(file: File, kind: Pending['kind']): string | undefined {
  if (file.size === 0) return FILE_SENTENCES.empty;
  if (kind === 'picture') return undefined;
  return (
    refusedAttachment(file.name) ?? (file.size > ATTACHMENT_LIMITS.bytes ? ATTACHMENT_SENTENCES.tooLarge : undefined)
  );
}

async function upload(sessionId: string, { id, kind }: Pick<Pending, 'id' | 'kind'>, file: File): Promise<void> {
  const stop = stops.get(id);
  if (stop === undefined || stop.signal.aborted) return;
  const change = (part: Partial<Pending>) => pending.change(sessionId, id, part);
  try {
    const ready = kind === 'picture' ? await preparePicture(file) : file;
    const onProgress = (share: number) => change({ share });
    const { attachment } = await sendFile(attachmentAnswer, address(sessionId), ready, onProgress, stop.signal);
    change({ share: 1, stored: attachment });
  } catch (error) {
    if (!stop.signal.aborted) change({ error: error instanceof NotAttachable ? error.message : errorText(error) });
  } finally {
    stops.delete(id);
  }
}

/** Removes a file from the composer, and from the server if it is there. */
export function detach(sessionId: string, { id, stored }: Pending): void {
  stops.get(id)?.abort();
  pending.remove(sessionId, id);
  // What stays there, for example offline, is removed after a day.
  if (stored) void request(z.unknown(), 'DELETE', stored.url).catch(() => undefined);
}
