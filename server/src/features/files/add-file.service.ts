import { readFile, writeFile } from 'node:fs/promises';
import { FILE_LIMITS, FILE_SENTENCES } from '@atelier/contract/files';
import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Received } from '../../platform/http/upload.ts';
import { stripMetadata } from '../../platform/pictures/metadata/strip-metadata.ts';
import { pictureType } from '../../platform/pictures/read-picture.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { checkType, reducedName, shownName } from './file-names.service.ts';
import { bytesOf, findFileByKey, sameFile } from './files.queries.ts';
import { notifyFiles } from './files.service.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';
import { NOT_STORED } from './incoming-uploads.service.ts';
import { cleanUp, removeFile } from './purge-file.service.ts';
import { queueOf } from './reading-lanes.ts';

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
  const type = checkType({ ...received, name });
  const size = type.kind === 'picture' ? await stripPicture(received) : received.size;
  try {
    return await store(ctx, caller, { ...type, id, agentId: agent.id, name, size }, received.path);
  } catch (error) {
    await cleanUp(ctx, error, async () => {
      const [left] = await findFileByKey(ctx.db, { userId: caller.uid, id });
      if (left !== undefined) await removeFile(ctx, left);
    });
    throw error;
  }
}

async function store(ctx: Deps, caller: Pick<Caller, 'uid'>, file: NewFile, path: string) {
  const row = await reserve(ctx, caller, file);
  await ctx.storage.put(row.key, path, row.size).catch((cause: unknown) => {
    throw new AppError('unavailable', NOT_STORED, { cause });
  });
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
  return owned(row.userId, stored, 'This file');
}

/**
 * Takes out what a camera noted in a received picture, and returns its size. A bitmap has no such notes and stays as it is; 415 for a picture
 * that can't be followed to its end: what it says of a place couldn't be found.
 */
async function stripPicture({ path, size }: Pick<Received, 'path' | 'size'>): Promise<number> {
  const bytes = await readFile(path);
  const type = pictureType(bytes);
  if (type === null) return size;
  const bare = stripMetadata(type, bytes);
  if (bare === null) throw new AppError('unsupported_type', FILE_SENTENCES.damagedPicture, { field: 'file' });
  await writeFile(path, bare);
  return bare.length;
}

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
