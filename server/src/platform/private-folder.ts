import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What lies in a data folder: everything deeper is reached through one of the folders. */
const FOLDERS = ['', 'db', 'files', 'backups'];
const FILES = ['secret', 'lock', 'lock.owner', 'format', 'sandbox-payments.json'];
const OTHERS = 0o077;

/**
 * Makes the data folder if there is none, and closes it and what lies in it to other users of the machine, as one from an earlier
 * version may be open. Returns the paths that stayed open, for some file systems know no permissions.
 */
export function makePrivateFolder(path: string): string[] {
  const root = resolve(path);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const parts = [
    ...FOLDERS.map((name) => ({ path: join(root, name), mode: 0o700 })),
    ...FILES.map((name) => ({ path: join(root, name), mode: 0o600 })),
  ];
  for (const part of parts) close(part.path, part.mode);
  return parts.map((part) => part.path).filter(isOpen);
}

function close(path: string, mode: number): void {
  if (!isOpen(path)) return;
  try {
    chmodSync(path, mode);
  } catch {
    // Shared drives and folders of another owner refuse; the caller says so.
  }
}

// Windows has other means, which Node does not show here.
const isOpen = (path: string) =>
  process.platform !== 'win32' && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
