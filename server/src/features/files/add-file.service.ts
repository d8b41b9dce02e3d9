import { readFile, writeFile } from 'node:fs/promises';
import { FILE_SENTENCES } from '@atelier/contract/files';
import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Authorized, Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { stripMetadata } from '../../platform/pictures/metadata/strip-metadata.ts';
import { pictureType } from '../../platform/pictures/read-picture.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { checkType, shownName } from './file-names.service.ts';
import { sameFile } from './files.queries.ts';
import { notifyFiles } from './files.service.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';
import { laneOf, QUEUES } from './reading.service.ts';
import { storeUpload, type Uploaded } from './uploads.service.ts';

/**
 * Stores a received file as knowledge of the agent, as `storeUpload` does, and schedules reading it. 400 for an empty file, 415 for unsupported
 * types.
 */
export async function addFile(
  ctx: Deps,
  { uid: userId }: Pick<Caller, 'uid'>,
  agent: Pick<Authorized<AgentRow>, 'id'>,
  received: Uploaded,
  id = uuidv7(),
): Promise<Authorized<AgentFileRow>> {
  const name = shownName(received.name);
  const type = checkType({ ...received, name });
  const pictures = type.kind === 'picture';
  const size = pictures ? await stripPicture(received) : received.size;
  return storeUpload(
    ctx,
    { userId, id, agentId: agent.id, name, size, ...type, pictures },
    received.path,
    async (tx) => {
      const isStored = and(sameFile({ userId, id }), eq(agentFiles.state, 'uploading'));
      const [row] = await tx.update(agentFiles).set({ state: 'reading' }).where(isStored).returning();
      if (row === undefined) return undefined;
      await ctx.jobs.send(tx, QUEUES[laneOf(row)], { userId, fileId: id });
      await notifyFiles(ctx, tx, row);
      return row;
    },
  );
}

/**
 * Takes out what a camera noted in a received picture, and returns its size. A bitmap has no such notes and stays as it is; 415 for a picture
 * that can't be followed to its end: what it says of a place couldn't be found.
 */
async function stripPicture({ path, size }: Uploaded): Promise<number> {
  const bytes = await readFile(path);
  const type = pictureType(bytes);
  if (type === null) return size;
  const bare = stripMetadata(type, bytes);
  if (bare === null) throw new AppError('unsupported_type', FILE_SENTENCES.damagedPicture, { field: 'file' });
  await writeFile(path, bare);
  return bare.length;
}
