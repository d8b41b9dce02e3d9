import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mayUseTools } from '../../access.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { BadZip, type ZipPart } from '../../platform/zip/zip-file.ts';
import { planOf } from '../accounts/usage.service.ts';
import { addFile, removeFile } from '../files/files.service.ts';
import { incomingFolder } from '../files/read-file.service.ts';
import { type Archive, isSmallEnough } from './archive.ts';
import { fileRow } from './archive-rows.ts';
import { importedId } from './import-places.queries.ts';
import { Halted, type Progress } from './import-progress.service.ts';
import { type Destination, findFileHere } from './import-rows.queries.ts';

const HEAD = 4_096;
const NEEDS_PRO = 'Files are for Pro accounts, so they were left out. With Pro, import the archive again to add them.';

type Become = 'imported' | 'present' | 'left';

/** Adds the archive's files like uploads: the same checks, the same space, and they are read again. */
export async function importFiles(ctx: Deps, to: Destination, archive: Archive, progress: Progress): Promise<void> {
  let skip = progress.row.rowsDone;
  const isPro = mayUseTools(await planOf(ctx.db, to.uid));
  for await (const rows of archive.rows('files')) {
    for (const row of rows) {
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      const notes: string[] = isPro ? [] : [NEEDS_PRO];
      const became: Become = isPro ? await importFile(ctx, to, archive, row, notes) : 'left';
      const outcome = { imported: 0, present: 0, left: 0, [became]: 1 };
      await progress.step('files', 1, async () => outcome, notes);
    }
  }
}

async function importFile(
  ctx: Deps,
  to: Destination,
  archive: Archive,
  row: unknown,
  notes: string[],
): Promise<Become> {
  const parsed = fileRow.safeParse(row);
  const part = parsed.success ? archive.files.get(parsed.data.id) : undefined;
  const agent = parsed.success ? to.agents.get(parsed.data.agentId) : undefined;
  if (!parsed.success || part === undefined || agent === undefined) return 'left';
  const { id, name } = parsed.data;
  const here = await findFileHere(ctx.db, to.uid, { id, agent });
  if (here !== null && here.state !== 'uploading') return 'present';
  // An import that was interrupted may have left it half stored.
  if (here !== null) await removeFile(ctx, here);
  try {
    const received = await unpack(ctx, part);
    try {
      await addFile(ctx, { uid: to.uid }, agent, { ...received, name }, importedId(agent, id));
    } finally {
      await rm(received.path, { force: true });
    }
    return 'imported';
  } catch (error) {
    const why = error instanceof BadZip ? 'It is damaged in the archive.' : refusal(error);
    // Another job for this import was faster.
    if (violates(error, 'agent_files_user_id_id_pk')) throw new Halted();
    if (why === null) throw error;
    notes.push(`${name}: ${why}`);
    return 'left';
  }
}

/** The sentence of a refusal that concerns this one file only. */
const refusal = (error: unknown) =>
  error instanceof AppError && error.code !== 'unavailable' && error.code !== 'internal' ? error.message : null;

async function unpack(ctx: Deps, part: ZipPart) {
  if (!isSmallEnough(part)) throw new BadZip('too large');
  const folder = incomingFolder(ctx.config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  try {
    // The archive's reader fails once it unpacks to more than the archive says.
    const source = await part.open();
    await pipeline(source, createWriteStream(path, { mode: 0o600 })).catch((cause: unknown) => {
      throw source.errored === null ? cause : new BadZip('damaged', cause);
    });
    const file = await open(path);
    const head = Buffer.alloc(Math.min(HEAD, part.size));
    await file.read(head).finally(() => file.close());
    return { path, size: part.size, head };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
