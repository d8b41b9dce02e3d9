import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { parsedJson } from '../parsed-json.ts';
import { syncDirectory, syncTree } from './sync-tree.ts';

/**
 * PostgreSQL's major inside the pinned PGlite, and the pin: a folder of another major does not open. Raise the layout when earlier versions
 * would misread the folder.
 */
export const EMBEDDED = { postgresMajor: 18, pglite: '0.5.16', layout: 1 } as const;

const format = z.object({ postgresMajor: z.number(), pglite: z.string(), layout: z.number().default(1) });

/** The folder for everything embedded: `db/ files/ backups/ secret lock format`. */
export interface DataFolder {
  root: string;
  db: string;
  backups: string;
  /** The secret that signs sessions, created once. */
  secret: string;
  /**
   * Call before the database is opened, and `finishCreation` afterwards. A creation that was interrupted in between is set aside at the
   * next start.
   */
  beginCreation(): void;
  /** Flushes a new database. */
  finishCreation(): void;
  /** Unlocks the folder. Killing the process unlocks it too. */
  release(): void;
}

/**
 * Locks the folder for this process; throws a sentence for the operator when another process holds it, or when its database has another
 * major.
 */
export function openDataFolder(path: string): DataFolder {
  const root = resolve(path);
  for (const part of ['', 'files', 'backups']) mkdirSync(join(root, part), { recursive: true, mode: 0o700 });
  const release = lockFolder(root);
  try {
    clearHalfMade(root);
    checkFormat(root);
    const db = join(root, 'db');
    const backups = join(root, 'backups');
    const beginCreation = () => {
      if (existsSync(join(db, 'PG_VERSION'))) return;
      writeWhole(marker(root), '');
      mkdirSync(db, { recursive: true, mode: 0o700 });
    };
    const finishCreation = () => markMade(root);
    return { root, db, backups, secret: readSecret(root), beginCreation, finishCreation, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** How long two simultaneous starts wait for each other, so that one of them wins. */
const LOCK_PATIENCE_MS = 500;
const SQLITE_BUSY = 5;

/**
 * Two processes on one PGlite folder corrupt it silently. SQLite's exclusive transaction is an operating system lock on all platforms of
 * Node: a process that dies releases it, so nothing stale ever blocks. (On POSIX, a process that opens and closes the file `lock` by other
 * means loses the lock: nothing else may touch it.)
 */
function lockFolder(root: string): () => void {
  const owner = join(root, 'lock.owner');
  const lock = new DatabaseSync(join(root, 'lock'), { timeout: LOCK_PATIENCE_MS });
  try {
    // A journal on disk would outlive a killed process and have to be rolled back first.
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw new Error(`The data folder ${root} could not be locked: ${String(cause)}`, { cause });
    const who = existsSync(owner) ? readFileSync(owner, 'utf8').trim() : 'another process';
    throw new Error(
      `The data folder ${root} is in use by ${who}. Stop that server, or choose another folder: DATA_DIR=… npm start`,
      { cause },
    );
  }
  writeWhole(owner, `process ${process.pid} on ${hostname()}\n`);
  return () => {
    if (lock.isOpen) lock.close();
  };
}

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;

/** Exists while the database is being created: a process killed then leaves a folder that PostgreSQL can't open. */
const marker = (root: string) => join(root, 'db.unfinished');

function clearHalfMade(root: string): void {
  const db = join(root, 'db');
  if (existsSync(marker(root)) && existsSync(db)) {
    // Set aside, not deleted: somebody may have put it there by hand.
    renameSync(db, join(root, 'backups', `unfinished-${new Date().toISOString().replaceAll(':', '-')}`));
  }
  rmSync(marker(root), { force: true });
}

function markMade(root: string): void {
  if (!existsSync(marker(root))) return;
  syncTree(join(root, 'db'));
  syncDirectory(root);
  rmSync(marker(root));
}

/** Writes all of a small file or nothing, whenever the process is killed. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

function checkFormat(root: string): void {
  const file = join(root, 'format');
  const versionFile = join(root, 'db', 'PG_VERSION');
  const major = existsSync(versionFile) ? Number(readFileSync(versionFile, 'utf8')) : EMBEDDED.postgresMajor;
  const made = format.safeParse(existsSync(file) ? parsedJson(readFileSync(file, 'utf8')) : undefined).data;
  if (made !== undefined && made.layout > EMBEDDED.layout) {
    throw new Error(
      `The data folder ${root} was last used by a newer version of this program. Nothing was changed. Start that version again, or choose another folder: DATA_DIR=… npm start`,
    );
  }
  if (major === EMBEDDED.postgresMajor) return writeWhole(file, `${JSON.stringify(EMBEDDED)}\n`);
  throw new Error(
    [
      `The database in ${root} was written by PostgreSQL ${major}${made ? ` (PGlite ${made.pglite})` : ''}; this version reads PostgreSQL ${EMBEDDED.postgresMajor} (PGlite ${EMBEDDED.pglite}). Nothing was changed.`,
      `Start it once more with the version of this program that wrote it, or move its data to a PostgreSQL server and use DATABASE_URL; backups are in ${join(root, 'backups')}.`,
    ].join('\n'),
  );
}

function readSecret(root: string): string {
  const file = join(root, 'secret');
  if (!existsSync(file)) writeWhole(file, randomBytes(32).toString('base64url'));
  return readFileSync(file, 'utf8').trim();
}
