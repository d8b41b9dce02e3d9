import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** The major of PostgreSQL inside the pinned PGlite, and the pin itself. A folder of another major does not open. */
export const EMBEDDED = { postgresMajor: 18, pglite: '0.5.16' } as const;

const format = z.object({ postgresMajor: z.number(), pglite: z.string() });

/** Where everything embedded lives: `db/ files/ backups/ secret lock format`. */
export interface DataFolder {
  root: string;
  db: string;
  backups: string;
  /** The secret that signs sessions, made once. */
  secret: string;
  /** Gives the folder back. A killed process gives it back too. */
  release(): void;
}

/**
 * Takes the folder for this process alone; throws a sentence for the operator where another process holds it, or where its
 * database is of another major.
 */
export function openDataFolder(path: string): DataFolder {
  const root = resolve(path);
  for (const part of ['', 'files', 'backups']) mkdirSync(join(root, part), { recursive: true });
  const release = lockFolder(root);
  try {
    checkFormat(root);
    return { root, db: join(root, 'db'), backups: join(root, 'backups'), secret: readSecret(root), release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Two processes on one PGlite folder corrupt it silently. SQLite's exclusive transaction is a lock of the operating system on all
 * platforms that Node runs on: whoever dies lets go of it, so nothing stale ever blocks.
 */
function lockFolder(root: string): () => void {
  const owner = join(root, 'lock.owner');
  const lock = new DatabaseSync(join(root, 'lock'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    const who = existsSync(owner) ? readFileSync(owner, 'utf8').trim() : 'another process';
    throw new Error(
      `The data folder ${root} is in use by ${who}. Stop that server, or choose another folder: DATA_DIR=… npm start`,
      { cause },
    );
  }
  writeFileSync(owner, `process ${process.pid} on ${hostname()}\n`);
  return () => lock.close();
}

function checkFormat(root: string): void {
  const file = join(root, 'format');
  const versionFile = join(root, 'db', 'PG_VERSION');
  if (!existsSync(versionFile)) {
    writeFileSync(file, `${JSON.stringify(EMBEDDED)}\n`);
    return;
  }
  const major = Number(readFileSync(versionFile, 'utf8'));
  if (major === EMBEDDED.postgresMajor) return;
  const made = existsSync(file) ? format.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data : undefined;
  throw new Error(
    [
      `The database in ${root} was written by PostgreSQL ${major}${made ? ` (PGlite ${made.pglite})` : ''}; this version reads PostgreSQL ${EMBEDDED.postgresMajor} (PGlite ${EMBEDDED.pglite}). Nothing was changed.`,
      `Start it once more with the version of this program that wrote it, or move its data to a PostgreSQL server and use DATABASE_URL; backups are in ${join(root, 'backups')}.`,
    ].join('\n'),
  );
}

function readSecret(root: string): string {
  const file = join(root, 'secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
}
