import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Flushes one directory's entries to the disk. Windows neither offers nor needs this. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  syncPath(path, 'r');
}

/** Flushes a folder with everything in it to the disk; throws when the disk refuses. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path, 'r+');
  }
  syncDirectory(folder);
}

function syncPath(path: string, flags: 'r' | 'r+'): void {
  const fd = openSync(path, flags);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

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
