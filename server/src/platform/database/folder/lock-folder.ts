import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeWhole } from './sync-tree.ts';

/** How long two simultaneous starts wait for each other, so that one of them wins. */
const LOCK_PATIENCE_MS = 500;
const SQLITE_BUSY = 5;

/** Another process holds the lock of a folder. */
export class FolderInUse extends Error {}

/**
 * Locks a data folder and returns how to unlock it; throws a sentence for the operator when another process holds it or the lock is broken.
 *
 * Two processes on one PGlite folder corrupt it silently. SQLite's exclusive transaction is an operating system lock on all platforms of
 * Node: a process that dies releases it, so nothing stale ever blocks. (On POSIX, a process that opens and closes the file `lock` by other
 * means loses the lock: nothing else may touch it.)
 */
export function lockFolder(root: string): () => void {
  const owner = join(root, 'lock.owner');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(root, 'lock'), { timeout: LOCK_PATIENCE_MS });
    // A journal on disk would outlive a killed process and have to be rolled back first.
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    writeWhole(owner, `process ${process.pid} on ${hostname()}\n`);
  } catch (cause) {
    lock?.close();
    throw explain(root, owner, cause);
  }
  const current = lock;
  return () => {
    if (current.isOpen) current.close();
  };
}

function explain(root: string, owner: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined;
  if (code === undefined) return cause;
  if (code === SQLITE_BUSY) {
    const who = existsSync(owner) ? readFileSync(owner, 'utf8').trim() : 'another process';
    return new FolderInUse(
      `The data folder ${root} is in use by ${who}. Stop that server, or choose another folder: DATA_DIR=… npm start`,
      { cause },
    );
  }
  // Not deleted by us: a server that still runs would hold a lock on the deleted file, and nothing would keep a second one out.
  return new Error(
    `The lock of the data folder ${root} is damaged. Stop every server that uses this folder, delete ${join(root, 'lock')}, then start again.`,
    { cause },
  );
}
