import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes all of a file or nothing, whenever the process is killed or the disk is full. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const part = `${file}.new`;
  try {
    writeFileSync(part, content, { mode: 0o600, flush: true });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
