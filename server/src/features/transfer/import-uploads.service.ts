import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { violates } from '../../platform/database/constraint.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Received } from '../../platform/http/upload.ts';
import { newIncoming } from '../../platform/storage/storage.ts';
import { BadZip, type ZipPart } from '../../platform/zip/zip-file.ts';
import { addAttachment } from '../attachments/add-attachment.service.ts';
import { readAttachments } from '../attachments/attachments.service.ts';
import { boundsOf } from '../budgets/budgets.service.ts';
import { addFile } from '../files/files.service.ts';
import { forgetUpload } from '../files/uploads.service.ts';
import type { Archive } from './archive.ts';
import { ATTACHMENT_IDS, attachmentRow, fileRow } from './archive-rows.ts';
import { findFiles, idsOf } from './import-ids.queries.ts';
import { type ImportTarget, importedId, validRows } from './import-ids.ts';
import { Halted, type Outcome } from './import-progress.service.ts';

const HEAD = 4_096;
/** What another job for this import breaks that was faster. */
const ONCE = { files: 'agent_files_user_id_id_pk', attachments: 'attachments_user_id_id_pk' };
export type UploadKind = keyof typeof ONCE;

/** What a free account is told. */
export const needsPro = (kind: UploadKind) =>
  `${kind === 'files' ? 'Files' : 'Attachments'} are for Pro accounts, so they were left out. With Pro, import the archive again to add them.`;

/**
 * Adds a file of the archive like an upload: the same checks, the same space, and it is read again. A note says why it can't be stored.
 * Throws `Halted` when another job for this import was faster.
 */
export async function importUpload(
  ctx: Deps,
  kind: UploadKind,
  to: ImportTarget,
  archive: Archive,
  json: unknown,
): Promise<Outcome> {
  const upload = kind === 'files' ? await findFile(ctx, to, json) : await findAttachment(ctx, to, json);
  const part = upload && archive[kind].get(upload.id);
  if (upload === undefined || part === undefined) return { left: 1 };
  if (upload.here.some(({ state }) => state !== 'uploading')) return { present: 1 };
  // What an interrupted import left half stored.
  for (const half of upload.here) await forgetUpload(ctx, half);
  const { name, add } = upload;
  let source: Readable | undefined;
  try {
    if (part.size > boundsOf(ctx.config).upload) throw new BadZip('too large');
    // The archive's reader fails once it unpacks to more than the archive says.
    source = await part.open();
    await withCopy(ctx, source, async (path) => add({ path, name, size: part.size, head: await readHead(path, part) }));
    return { imported: 1 };
  } catch (error) {
    if (violates(error, ONCE[kind])) throw new Halted();
    const isDamaged = error instanceof BadZip || (source?.errored ?? null) !== null;
    const why = isDamaged ? 'It is damaged in the archive.' : refusal(error);
    if (why === null) throw error;
    return { left: 1, notes: [`${name}: ${why}`] };
  }
}

async function findFile(ctx: Deps, to: ImportTarget, json: unknown) {
  const [valid] = validRows(to, fileRow, [json]);
  if (valid === undefined) return undefined;
  const { id, name } = valid.row;
  const here = await findFiles(ctx.db, to.uid, idsOf({ ...valid, id }));
  const add = (received: Received) => addFile(ctx, to, valid.scope, received, importedId(valid.scope, id));
  return { id, name, here, add };
}

async function findAttachment(ctx: Deps, to: ImportTarget, json: unknown) {
  const [valid] = validRows(to, attachmentRow, [json], ATTACHMENT_IDS);
  if (valid === undefined) return undefined;
  const {
    row: { id, name, sessionId },
    scope,
  } = valid;
  const here = [...(await readAttachments(ctx.db, to.uid, idsOf({ id, scope }))).values()];
  const agent = to.agentOfSession.get(sessionId);
  // Its session may be deleted, and a copy of that still name it.
  const session = { userId: to.uid, id: importedId(agent ?? scope, sessionId) };
  const add = (received: Received) => addAttachment(ctx, session, received, { id: importedId(scope, id) });
  return { id, name, here, add };
}

/** The sentence of a refusal that concerns this one file only. */
const refusal = (error: unknown) =>
  error instanceof AppError && error.code !== 'unavailable' && error.code !== 'internal' ? error.message : null;

async function readHead(path: string, { size }: ZipPart): Promise<Buffer> {
  const file = await open(path);
  const head = Buffer.alloc(Math.min(HEAD, size));
  await file.read(head).finally(() => file.close());
  return head;
}

/** Writes a stream into a file that stays for as long as the work takes. */
export async function withCopy(ctx: Deps, source: Readable, work: (path: string) => Promise<unknown>): Promise<void> {
  const path = await newIncoming(ctx.config).catch((error: unknown) => {
    source.destroy();
    throw error;
  });
  try {
    await pipeline(source, createWriteStream(path, { mode: 0o600 }));
    await work(path);
  } finally {
    await rm(path, { force: true });
  }
}
