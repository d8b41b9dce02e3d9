import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type AgentFileEntry, FILE_LIMITS, FILE_SENTENCES } from '@atelier/contract/files';
import type { PageQuery } from '@atelier/contract/ids';
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, page } from '../../platform/http/cursor.ts';
import type { Received } from '../../platform/http/upload.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { checkType, reducedName, shownName } from './file-names.service.ts';
import { bytesOf, findFile, findFileByKey, findFiles, findPassages } from './files.queries.ts';
import { type AgentFileRow, agentFiles, filePassages } from './files.table.ts';
import type { Lane } from './reading-turn.service.ts';

/** The queues that read the text of files, by lane. */
export const QUEUES: Record<Lane, string> = { texts: 'files.read', pictures: 'files.recognize' };
const queueOf = ({ pictures }: AgentFileRow) => QUEUES[pictures ? 'pictures' : 'texts'];
/** The queue that removes a deleted file for good, after the time for undo. */
export const PURGE_FILE_QUEUE = 'files.purge';
// The page offers undo for 5 s; a slow network gets as much again.
const PURGE_AFTER_SECONDS = 10;
/** How many passages one statement reads or removes: everyone waits for it on the embedded database. */
const PORTION = 200;

/** A file for the API; `slug` is its agent's address. */
export function toFile(row: AgentFileRow, slug: string): AgentFileEntry {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    url: `/api/agents/${encodeURIComponent(slug)}/files/${row.id}`,
    uploadedAt: row.createdAt.toISOString(),
    size: row.size,
    state: row.state,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.progress === null || row.state !== 'reading' ? {} : { progress: row.progress }),
  };
}

/** A page of an agent's files, newest first. */
export async function listFiles(ctx: Deps, agent: Authorized<AgentRow>, query: PageQuery) {
  const rows = await findFiles(ctx.db, agent, decodeCursor(query.cursor), query.limit + 1);
  return page(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** The agent's file that is not deleted, or 404. */
export async function getFile(ctx: Deps, agent: Authorized<AgentRow>, id: string): Promise<Authorized<AgentFileRow>> {
  const [row] = isUuid(id) ? await findFile(ctx.db, agent, id) : [];
  return owned(agent.userId, row?.deletedAt === null ? row : undefined, 'This file');
}

/** The bytes of a file. */
export const openFile = (ctx: Deps, file: Authorized<AgentFileRow>): Promise<Readable> =>
  ctx.storage.get(file.key).catch((cause: unknown) => {
    throw new AppError('unavailable', 'The file could not be opened. Please try again.', { cause });
  });

/** The text of a file as the agent sees it, in order. */
export async function readPassages(ctx: Deps, file: Authorized<AgentFileRow>) {
  const passages: Awaited<ReturnType<typeof findPassages>> = [];
  for (;;) {
    const from = passages.length;
    passages.push(...(await findPassages(ctx.db, file, from, from + PORTION)));
    if (passages.length < from + PORTION) return passages;
    // The embedded database never yields the thread by itself.
    await setImmediate();
  }
}

async function removePassages(ctx: Deps, { userId, id }: { userId: string; id: string }): Promise<void> {
  for (let from = 0; ; from += PORTION) {
    const own = and(eq(filePassages.userId, userId), eq(filePassages.fileId, id));
    const gone = await ctx.db
      .delete(filePassages)
      .where(and(own, lt(filePassages.position, from + PORTION)))
      .returning({ id: filePassages.id });
    if (gone.length < PORTION) return;
    await setImmediate();
  }
}

/**
 * Stores a received file as knowledge of the agent and schedules reading it. Its row comes first and its bytes second, so an interrupted
 * upload is found and removed. 402 beyond the account's space, 415 for unsupported types, 503 when storing fails.
 */
export async function addFile(
  ctx: Deps,
  caller: Pick<Caller, 'uid'>,
  agent: Pick<Authorized<AgentRow>, 'id'>,
  received: Pick<Received, 'name' | 'size' | 'head' | 'path'>,
  id = uuidv7(),
) {
  const name = shownName(received.name);
  if (received.size === 0) throw new AppError('invalid_input', FILE_SENTENCES.empty, { field: 'file' });
  const type = checkType(name, received.head);
  const row = await reserve(ctx, caller, { ...type, id, agentId: agent.id, name, size: received.size });
  try {
    await ctx.storage.put(row.key, received.path, received.size);
  } catch (cause) {
    await removeFile(ctx, row);
    throw new AppError('unavailable', 'The file could not be stored. Please try again.', { cause });
  }
  const stored = await ctx.db.transaction(async (tx) => {
    const [reading] = await tx
      .update(agentFiles)
      .set({ state: 'reading' })
      .where(and(sameFile(row), eq(agentFiles.state, 'uploading')))
      .returning();
    if (reading === undefined) return undefined;
    await ctx.jobs.send(tx, queueOf(row), { userId: row.userId, fileId: row.id });
    await notifyFiles(ctx, tx, row);
    return reading;
  });
  // The account or agent was deleted during the upload: nothing refers to these bytes any more.
  if (stored === undefined) await ctx.storage.delete(row.key);
  return owned(caller.uid, stored, 'This file');
}

const sameFile = (file: { userId: string; id: string }) =>
  and(eq(agentFiles.userId, file.userId), eq(agentFiles.id, file.id));

/** Notifies the user's pages that an agent's files changed. */
export const notifyFiles = (ctx: Deps, tx: Tx, file: { userId: string; agentId: string }) =>
  ctx.live.notify(tx, file.userId, 'files', file.agentId);

type NewFile = Pick<AgentFileRow, 'id' | 'agentId' | 'name' | 'size' | 'type' | 'kind'>;

/** Reserves the space before the bytes are stored, so parallel uploads can't overspend it. */
async function reserve(ctx: Deps, caller: Pick<Caller, 'uid'>, file: NewFile): Promise<AgentFileRow> {
  // Two files with one name in the same millisecond would share a key; the later one takes the next.
  for (let time = Date.now(); ; time += 1) {
    const key = `userFiles/${caller.uid}/${time}_${reducedName(file.name)}`;
    try {
      return await ctx.db.transaction(async (tx) => {
        await lockUsage(tx, caller.uid);
        await takeSpace(tx, caller.uid, file.size);
        const isPicture = file.kind === 'picture';
        const values = { ...file, pictures: isPicture, userId: caller.uid, key, state: 'uploading' as const };
        const [row] = await tx.insert(agentFiles).values(values).returning();
        return owned(caller.uid, row, 'This file');
      });
    } catch (error) {
      if (!violates(error, 'agent_files_key')) throw error;
    }
  }
}

/** 402 when so many more bytes are too many for the account. Its usage must be locked. */
export async function takeSpace(tx: Tx, uid: string, bytes: number): Promise<void> {
  if ((await bytesOf(tx, uid)) + bytes > FILE_LIMITS.bytesPerUser)
    throw new AppError('limit_reached', FILE_SENTENCES.full);
}

/** Hides the file at once, also from the agent; it is removed from the storage after the time for undo. */
export async function deleteFile(ctx: Deps, file: Authorized<AgentFileRow>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const hidden = await tx
      .update(agentFiles)
      .set({ deletedAt: sql`now()` })
      .where(and(sameFile(file), isNull(agentFiles.deletedAt)))
      .returning({ id: agentFiles.id });
    if (hidden.length === 0) return;
    await sendPurges(ctx, tx, [file]);
    await notifyFiles(ctx, tx, file);
  });
}

const sendPurges = (ctx: Deps, tx: Tx, files: { userId: string; id: string }[]) =>
  ctx.jobs.sendAll(
    tx,
    files.map(({ userId, id }) => ({
      queue: PURGE_FILE_QUEUE,
      data: { userId, fileId: id },
      startAfterSeconds: PURGE_AFTER_SECONDS,
    })),
  );

/** Undoes a delete; 404 once the file is gone for good. */
export async function restoreFile(ctx: Deps, agent: Authorized<AgentRow>, id: string): Promise<AgentFileRow> {
  if (!isUuid(id)) throw notFound('This file');
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(agentFiles)
      .set({ deletedAt: null, readingUntil: null })
      .where(and(sameFile({ userId: agent.userId, id }), eq(agentFiles.agentId, agent.id)))
      .returning();
    if (row === undefined) throw notFound('This file');
    // Its reader stopped when it was deleted.
    if (row.state === 'reading') await ctx.jobs.send(tx, queueOf(row), { userId: row.userId, fileId: row.id });
    await notifyFiles(ctx, tx, row);
    return row;
  });
}

/** Deletes an agent's files, inside the transaction that deletes the agent. */
export async function deleteFilesOfAgent(ctx: Deps, tx: Tx, agent: { userId: string; id: string }): Promise<void> {
  const hidden = await tx
    .update(agentFiles)
    .set({ deletedAt: sql`now()` })
    .where(and(eq(agentFiles.userId, agent.userId), eq(agentFiles.agentId, agent.id), isNull(agentFiles.deletedAt)))
    .returning({ userId: agentFiles.userId, id: agentFiles.id });
  await sendPurges(ctx, tx, hidden);
}

/** Removes a file that is still deleted: first its bytes, then its row, so a row never loses sight of bytes. */
export async function purgeFile(ctx: Deps, input: { userId: string; fileId: string }): Promise<void> {
  const [row] = await findFileByKey(ctx.db, { userId: input.userId, id: input.fileId });
  // Deleted, restored and deleted again: the later deletion has its own job.
  const due = Date.now() - (PURGE_AFTER_SECONDS - 1) * 1000;
  if (row === undefined || row.deletedAt === null || row.deletedAt.getTime() > due) return;
  await ctx.storage.delete(row.key);
  await removePassages(ctx, row);
  await ctx.db
    .delete(agentFiles)
    .where(
      and(
        sameFile(row),
        isNotNull(agentFiles.deletedAt),
        lt(agentFiles.deletedAt, sql`now() - make_interval(secs => ${PURGE_AFTER_SECONDS - 2})`),
      ),
    );
}

/** Removes a file that was never completely stored; if the storage fails, the file is hidden and the sweep tries again. */
export async function removeFile(ctx: Deps, row: AgentFileRow): Promise<void> {
  try {
    await ctx.storage.delete(row.key);
  } catch (error) {
    ctx.log.error('files.remove', error, { file: row.id });
    await ctx.db.update(agentFiles).set({ deletedAt: sql`now()` }).where(sameFile(row));
    return;
  }
  await ctx.db.delete(agentFiles).where(sameFile(row));
}
