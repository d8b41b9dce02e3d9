import { renameSync, writeFileSync } from 'node:fs';

/** Writes all of a small file or nothing, whenever the process is killed. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
