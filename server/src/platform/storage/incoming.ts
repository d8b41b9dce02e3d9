import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** The folder of files that are not stored yet, beside the stored ones, so that they can be moved. */
export const incomingFolder = (config: Pick<Config, 'DATA_DIR'>): string => join(config.DATA_DIR, 'files', '.incoming');

/** Where a new file of that folder can be written. */
export async function newIncoming(config: Pick<Config, 'DATA_DIR'>): Promise<string> {
  const folder = incomingFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, randomUUID());
}
