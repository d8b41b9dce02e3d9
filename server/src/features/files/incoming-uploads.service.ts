import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { type Received, receiveFile } from '../../platform/http/upload.ts';
import { outageOf } from '../../platform/outage.ts';

/** The folder of uploads that are not stored yet. */
export const incomingFolder = (config: Config) => join(config.DATA_DIR, 'files', '.incoming');

/** Receives the file of an upload into that folder, as `receiveFile` does; throws 503 where the folder can't be written. */
export const receiveUpload = (
  config: Config,
  request: Request,
  maxBytes: number,
  tooLarge: string,
): Promise<Received> =>
  receiveFile(request, { field: 'file', maxBytes, folder: incomingFolder(config), tooLarge }).catch(
    (cause: unknown) => {
      const isFolder = cause instanceof Error && 'syscall' in cause && outageOf(cause) === null;
      throw isFolder ? new AppError('unavailable', NOT_STORED, { cause }) : cause;
    },
  );

export const NOT_STORED = 'The file could not be stored. Please try again.';

/** Where a new file of that folder can be written. */
export async function newIncoming(config: Config): Promise<string> {
  const folder = incomingFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, randomUUID());
}

/** Removes files that have been in the upload folder longer than an upload can take. */
export async function clearIncoming(ctx: Deps, olderThanMs: number): Promise<void> {
  const folder = incomingFolder(ctx.config);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - olderThanMs) await rm(path, { force: true });
  }
}
