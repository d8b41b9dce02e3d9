import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { newIncoming } from '../files/uploads.service.ts';
import { type Archive, openArchive } from './archive/archive.ts';

/** Opens a local copy of the stored archive: only that can be read from any place. */
export async function withArchive(
  ctx: Deps,
  key: string | null,
  work: (archive: Archive) => Promise<void>,
): Promise<void> {
  if (key === null || !(await ctx.storage.has(key))) {
    throw new AppError('not_found', 'The archive was deleted after a day. Choose it again; nothing doubles.');
  }
  const path = await newIncoming(ctx.config);
  try {
    await pipeline(await ctx.storage.get(key), createWriteStream(path, { mode: 0o600 }));
    const archive = await openArchive(path);
    await work(archive).finally(archive.close);
  } finally {
    await rm(path, { force: true });
  }
}
