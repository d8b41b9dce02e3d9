import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type FileKind, fullAccount, tooLargeFile } from '@atelier/contract/files';
import { and, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { type AppEnv, type Authorized, owned } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { type Extracted, type ExtractOptions, extractDocument } from '../../platform/extraction/extract.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import { asDownload, FOREIGN_CONTENT } from '../../platform/http/headers.ts';
import { type Received, receiveFile, type UploadLimit } from '../../platform/http/upload.ts';
import { outageOf } from '../../platform/outage.ts';
import { retryUntil } from '../../platform/retry.ts';
import { incomingFolder, newIncoming, openStored } from '../../platform/storage/storage.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import { boundsOf } from '../budgets/budgets.service.ts';
import { reducedName } from './file-names.service.ts';
import {
  beginRemoval,
  bytesOf,
  findUploads,
  hideUploads,
  insertUpload,
  isDeleted,
  isStuck,
  type NewUpload,
  PORTION,
  sameUpload,
  tableOf,
  UPLOADS,
  type Upload,
  type UploadTable,
} from './files.queries.ts';
import { removePassages } from './passages.service.ts';

export { bytesOf, hideUploads };

// What an agent's files and the attachments of messages have in common; both features say what else becomes of theirs.

const NOT_STORED = 'The file could not be stored. Please try again.';
/** How long all sentences about a reading may be. */
const NOTE_MAX = 2_000;
/** Storing an upload takes less, or has failed: see the patience of a bucket. */
const UPLOAD_MINUTES = 1;
const LEFT_LYING_MS = 60 * 60 * 1000;
/** How long the database may be away before an upload is left to the sweep; the job that reads it ends a little later. */
const AWAY_MS = 10 * 60_000;

/** The queue that removes bytes of uploads that failed. */
export const UNSTORE_QUEUE = 'files.unstore';

const limitOf = (config: Deps['config']): UploadLimit => {
  const { upload } = boundsOf(config);
  return { bytes: upload, tooLarge: tooLargeFile(upload) };
};

/** Receives a file into that folder, as `receiveFile` does, for as long as `add` takes. Throws 503 where the folder can't be written. */
export async function withUpload<T>(
  { config }: Deps,
  request: Request,
  add: (received: Received) => Promise<T>,
  limit: UploadLimit = limitOf(config),
): Promise<T> {
  const refuse = (cause: unknown): never => {
    const isFolder = cause instanceof Error && 'syscall' in cause && outageOf(cause) === null;
    throw isFolder ? new AppError('unavailable', NOT_STORED, { cause }) : cause;
  };
  const path = await newIncoming(config).catch(refuse);
  try {
    return await add(await receiveFile(request, path, limit).catch(refuse));
  } finally {
    await rm(path, { force: true });
  }
}

/** Reads a document's text. Throws Unreadable, also where there is none; `note` is what a person should know about the reading. */
export async function readUpload(kind: FileKind, source: Readable, options: ExtractOptions) {
  const read = await extractDocument(kind, source, options);
  if (read.passages.length === 0 && !read.pictures) throw new Unreadable('There is no text in this file.');
  return { ...read, note: noteOf(read) };
}

/** Reads a document with its pictures of text recognized; where that fails, without them. Of a picture there is nothing else to read. */
export const recognizing = <T>(kind: FileKind, read: (recognize: 'now' | 'never') => Promise<T>): Promise<T> =>
  read('now').catch((error: unknown) => {
    if (!(error instanceof Unreadable) || kind === 'picture') throw error;
    return read('never');
  });

/** What a person should know about a reading; null when there is nothing to say. */
export function noteOf({ only, notes }: Pick<Extracted, 'only' | 'notes'>): string | null {
  const sentences = [...(only === null ? [] : [`Only the first ${only} were read.`]), ...notes];
  return sentences.length === 0 ? null : sentences.join(' ').slice(0, NOTE_MAX);
}

/**
 * Stores an upload. Its row comes first and its bytes second, so an interrupted one is found and removed; `finish` says in the row that they
 * are there, and returns nothing when it is gone. 402 beyond the account's space, 503 when storing fails.
 */
export async function storeUpload<Row extends { userId: string }>(
  ctx: Deps,
  upload: NewUpload,
  path: string,
  finish: (tx: Tx) => Promise<Row | undefined>,
): Promise<Authorized<Row>> {
  const stored = await reserve(ctx, upload);
  try {
    await ctx.storage.move(stored.key, path, upload.size).catch((cause: unknown) => {
      throw new AppError('unavailable', NOT_STORED, { cause });
    });
    return owned(upload.userId, await ctx.db.transaction(finish), 'This file');
  } catch (error) {
    return takeBack(ctx, error, () => forgetUpload(ctx, stored));
  }
}

/** Takes back what was stored before this error, also because the account or agent was deleted meanwhile, and throws the error. */
export async function takeBack(ctx: Deps, error: unknown, forget: () => Promise<void>): Promise<never> {
  const removed = surely(ctx, forget).catch((failure: unknown) => ctx.log.error('files.remove', failure));
  // Its sender doesn't wait for a database that is away.
  if (outageOf(error) === null) await removed;
  throw error;
}

/** Reserves the space before the bytes are stored, so parallel uploads can't overspend it. */
async function reserve(ctx: Deps, upload: NewUpload): Promise<Upload> {
  // Two files with one name in the same millisecond would share a key; the later one takes the next.
  for (let time = Date.now(); ; time += 1) {
    const own = upload.agentId === undefined ? `${upload.id}_` : '';
    const stored = { ...upload, key: `userFiles/${upload.userId}/${time}_${own}${reducedName(upload.name)}` };
    try {
      await ctx.db.transaction(async (tx) => {
        // What follows the move flushes this too: only a crash just between them leaves bytes without a row.
        if (ctx.storage.kind === 'folder') await tx.execute(sql`set local synchronous_commit = off`);
        await lockUsage(tx, upload.userId);
        const { storage } = boundsOf(ctx.config);
        if ((await bytesOf(tx, upload.userId)) + upload.size > storage)
          throw new AppError('limit_reached', fullAccount(storage));
        await insertUpload(tx, stored);
      });
      return stored;
    } catch (error) {
      if (!violates(error, 'agent_files_key')) throw error;
    }
  }
}

interface Download<Row> {
  uid: string;
  find: () => Promise<Authorized<Row>>;
  /** What a page may show it as. */
  typeOf?: (row: Row) => string | undefined;
}

/** An upload for an answer, when it is the account's turn. By itself nothing shows it in a page, whatever type it claims: it may contain anything. */
export const answerWithUpload = <Row extends Upload & { size: number; name: string }>(
  ctx: Deps,
  c: Context<AppEnv>,
  { uid, find, typeOf }: Download<Row>,
): Promise<Response> =>
  c.get('bounds').hold(uid, 'downloads', async () => {
    const row = await find();
    return c.body(Readable.toWeb(await openStored(ctx.storage, row.key, 'The file')) as ReadableStream, 200, {
      'content-type': typeOf?.(row) ?? 'application/octet-stream',
      'content-length': String(row.size),
      'content-disposition': asDownload(row.name),
      'x-content-type-options': 'nosniff',
      'content-security-policy': FOREIGN_CONTENT,
    });
  });

/** Repeats what lets an upload go until the database takes it: held, it and the account's other files would wait for minutes. */
export const surely = <T>(ctx: Pick<Deps, 'log'>, work: () => PromiseLike<T>): Promise<T> =>
  retryUntil(
    AbortSignal.timeout(AWAY_MS),
    async () => work(),
    (error, attempt) => ctx.log.error('files.waits', error, { attempt }),
    (error) => outageOf(error) !== null,
  );

/** Removes the row of an upload that broke off, at once, as it takes the account's space; and its bytes, as soon as the storage can be reached. */
export const forgetUpload = (ctx: Deps, upload: Upload): Promise<void> =>
  unstore(ctx, upload, async (tx) => {
    const { userId, agentId } = upload;
    const table = tableOf(upload);
    await tx.delete(table).where(sameUpload(table, upload));
    if (agentId !== undefined) await ctx.live.notify(tx, userId, 'files', agentId);
  });

/** Removes bytes, and in a transaction what refers to them. Where the storage can't be reached, a job removes them later. */
export async function unstore(
  ctx: Deps,
  { userId, id, key }: Pick<Upload, 'userId' | 'id' | 'key'>,
  forget: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const isGone = await ctx.storage.delete(key).then(
    () => true,
    (error: unknown) => void ctx.log.error('files.remove', error, { file: id }),
  );
  await ctx.db.transaction(async (tx) => {
    await forget(tx);
    if (!isGone) await unstoreLater(ctx, tx, { userId, key }, 60);
  });
}

/** Has a job remove bytes, in the transaction after which nothing refers to them. */
export const unstoreLater = (
  ctx: Pick<Deps, 'jobs'>,
  tx: Tx,
  { userId, key }: Pick<Upload, 'userId' | 'key'>,
  startAfterSeconds = 0,
): Promise<void> => ctx.jobs.send(tx, UNSTORE_QUEUE, { userId, key }, { startAfterSeconds });

/** Removes an upload for good that is still deleted: first its bytes, then its row, so a row never loses sight of bytes. */
export async function purgeUpload(ctx: Deps, upload: Upload): Promise<void> {
  const { userId, id, key, agentId } = upload;
  const table = tableOf(upload);
  if (!(await beginRemoval(ctx.db, table, upload))) return;
  // Attachments are noted with their messages.
  if (agentId !== undefined) await noteDeletion(ctx, { kind: 'file', userId, ids: [id] });
  await ctx.storage.delete(key);
  if (agentId !== undefined) await removePassages(ctx, upload);
  await ctx.db.delete(table).where(sameUpload(table, upload));
}

/**
 * Removes what is deleted of a table, or one upload of it. What can't be removed now is tried again by the next sweep, and nothing waits for
 * it. Throws the first failure at its end.
 */
export async function purgeDeleted(
  ctx: Deps,
  table: UploadTable,
  only?: { userId: string; id: string },
): Promise<void> {
  const which = and(isDeleted(table), only && sameUpload(table, only));
  const failures: unknown[] = [];
  let rows: Upload[] = [];
  do {
    rows = await findUploads(ctx.db, table, which, rows.at(-1)?.id);
    for (const row of rows) await purgeUpload(ctx, row).catch((error: unknown) => failures.push(error));
  } while (rows.length === PORTION);
  if (failures.length > 0) throw failures[0];
}

/** Removes what uploads left behind that broke off, by default those that a dead process was storing. */
export async function clearUploads(ctx: Deps, minutes = UPLOAD_MINUTES, olderThanMs = LEFT_LYING_MS): Promise<void> {
  for (const table of UPLOADS)
    for (const upload of await findUploads(ctx.db, table, isStuck(table, minutes))) await forgetUpload(ctx, upload);
  const folder = incomingFolder(ctx.config);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - olderThanMs) await rm(path, { force: true });
  }
}
