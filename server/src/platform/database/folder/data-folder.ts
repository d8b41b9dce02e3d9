import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { parsedJson } from '../../parsed-json.ts';
import { lockFolder } from './lock-folder.ts';
import { syncDirectory, syncTree, writeWhole } from './sync-tree.ts';

/** PostgreSQL's major in the pinned PGlite, which opens no folder of another, and the pin. Raise the layout if older versions misread it. */
export const EMBEDDED = { postgresMajor: 18, pglite: '0.5.16', layout: 1 } as const;

const format = z.object({ postgresMajor: z.number(), pglite: z.string(), layout: z.number().default(1) });

/** The folder for everything embedded: `db/ files/ backups/ secret lock format`. */
export type DataFolder = ReturnType<typeof openDataFolder>;

/**
 * Locks the folder for this process; throws a sentence for the operator when another process holds it, when its database is of another major
 * or not all there, or when its secret is lost. `hasSecret` says that the installation has one elsewhere. What is refused stays as it is.
 */
export function openDataFolder(path: string, { hasSecret = false } = {}) {
  const root = resolve(path);
  for (const part of ['', 'files', 'backups']) mkdirSync(join(root, part), { recursive: true, mode: 0o700 });
  const release = lockFolder(root);
  try {
    endReplacing(root);
    refuseUnfinished(root);
    const setAside = clearHalfMade(root);
    const made = readFormat(root);
    const isNew = isEmpty(root);
    if (!isNew) checkMajor(root, made);
    const secrets = readSecrets(root, { isNew, hasSecret });
    if (!isNew) recordFormat(root);
    const db = join(root, 'db');
    return {
      root,
      db,
      backups: join(root, 'backups'),
      /** What the file `secret` holds, a line each, the newest first; created once. May be empty where the installation has another. */
      secrets,
      /** Where a database was moved whose creation was interrupted. */
      setAside,
      /** Call before the database is opened, and `finishCreation` after. An interrupted creation is set aside at the next start. */
      beginCreation(): void {
        if (!isNew) return;
        writeWhole(marker(root), FORMAT_LAST);
        mkdirSync(db, { recursive: true, mode: 0o700 });
      },
      /** Flushes a new database. */
      finishCreation: (): void => void (isNew && markMade(root)),
      /** Unlocks the folder. Killing the process unlocks it too. */
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Exists while the database is being created: a process killed then leaves a folder that PostgreSQL can't open. */
const marker = (root: string) => join(root, 'db.unfinished');
/** In the marker: `format` is written when the database is finished. Earlier versions wrote it first, and an empty marker. */
const FORMAT_LAST = 'The database is being created.\n';

/** Makes room for a creation after one that was interrupted; returns where its database is now. */
function clearHalfMade(root: string): string | undefined {
  const db = join(root, 'db');
  if (!existsSync(marker(root))) return undefined;
  const isFinished = existsSync(formatOf(root)) && readFileSync(marker(root), 'utf8') === FORMAT_LAST;
  // Not deleted: somebody may have put it there by hand.
  const aside = join(root, 'backups', `unfinished-${new Date().toISOString().replaceAll(':', '-')}`);
  const isMoved = !isFinished && existsSync(db);
  if (isMoved) renameSync(db, aside);
  if (!isFinished) rmSync(formatOf(root), { force: true });
  rmSync(marker(root));
  return isMoved ? aside : undefined;
}

/** Where a restore loads a database before it takes its place. */
export const restoringIn = (root: string) => join(root, 'restoring');
/** The same beside files that are in use, and beside a database whose place it takes, and where that one is meanwhile. */
export const loadingIn = (root: string) => join(root, 'loading');
const replacedIn = (root: string) => join(root, 'replaced');

/** Puts a loaded database in the place of the one that there is. `endReplacing` finishes or undoes it if this process is killed. */
export function takePlace(root: string, loading: string): void {
  const db = join(root, 'db');
  if (existsSync(db)) renameSync(db, replacedIn(root));
  renameSync(loading, db);
  syncDirectory(root);
  rmSync(replacedIn(root), { recursive: true, force: true });
}

/** Call it with the lock: the database that is whole takes its place, and what was begun is removed. */
export function endReplacing(root: string): void {
  const db = join(root, 'db');
  if (!existsSync(db) && existsSync(replacedIn(root))) renameSync(replacedIn(root), db);
  for (const leftover of [replacedIn(root), loadingIn(root)]) rmSync(leftover, { recursive: true, force: true });
}

/** Exists until the move into this folder has ended: the database may be there already, and still be in use elsewhere. */
const arrivingIn = (root: string) => join(root, 'arriving');
export const isArriving = (root: string) => existsSync(arrivingIn(root));
export const beginArrival = (root: string) => writeWhole(arrivingIn(root), UNFINISHED_MOVE);
export const endArrival = (root: string) => rmSync(arrivingIn(root), { force: true });

export const UNFINISHED_MOVE =
  'A move into this place was interrupted, so its database is still in use where it was. Run it again there: npm run move -- --to …';

/** Throws a sentence for the operator where a restore or a move was cut off. */
export function refuseUnfinished(root: string): void {
  if (isArriving(root)) throw new Error(UNFINISHED_MOVE);
  if (!existsSync(restoringIn(root))) return;
  throw new Error(
    `A restore into ${root} was interrupted. Run it again: npm run restore -- FILE. To begin without it, delete ${restoringIn(root)} and what is in ${join(root, 'files')}.`,
  );
}

function markMade(root: string): void {
  syncTree(join(root, 'db'));
  recordFormat(root);
  syncDirectory(root);
  rmSync(marker(root), { force: true });
}

/** Says that there is a finished database, and of which kind. */
const formatOf = (root: string) => join(root, 'format');
export const recordFormat = (root: string) => writeWhole(formatOf(root), `${JSON.stringify(EMBEDDED)}\n`);

const versionFile = (root: string) => join(root, 'db', 'PG_VERSION');

/** Whether there was never a database. Throws when there was one of which a part is missing: a new one would take its place. */
function isEmpty(root: string): boolean {
  const db = join(root, 'db');
  if (existsSync(versionFile(root))) return false;
  if (!existsSync(formatOf(root)) && (!existsSync(db) || readdirSync(db).length === 0)) return true;
  throw incomplete(root);
}

const incomplete = (root: string) =>
  new Error(
    `The database in ${join(root, 'db')} is not all there (PG_VERSION is missing or damaged): was it being copied? Nothing was changed. Copy the whole folder again, or restore a backup into an empty one: DATA_DIR=… npm run restore -- FILE. To begin without the old data, move ${join(root, 'db')} and ${formatOf(root)} elsewhere.`,
  );

type Format = z.infer<typeof format>;

/** What the folder says of its database; undefined where it says nothing. Throws for what a newer version laid out. */
function readFormat(root: string): Format | undefined {
  const file = formatOf(root);
  const made = format.safeParse(existsSync(file) ? parsedJson(readFileSync(file, 'utf8')) : undefined).data;
  if (made === undefined || made.layout <= EMBEDDED.layout) return made;
  throw new Error(
    `The data folder ${root} was last used by a newer version of this program. Nothing was changed. Start that version again, or choose another folder: DATA_DIR=… npm start`,
  );
}

function checkMajor(root: string, made: Format | undefined): void {
  const major = Number(readFileSync(versionFile(root), 'utf8'));
  if (!Number.isInteger(major) || major < 1) throw incomplete(root);
  if (major === EMBEDDED.postgresMajor) return;
  throw new Error(
    [
      `The database in ${root} was written by PostgreSQL ${major}${made ? ` (PGlite ${made.pglite})` : ''}; this version reads PostgreSQL ${EMBEDDED.postgresMajor} (PGlite ${EMBEDDED.pglite}). Nothing was changed.`,
      `Make a backup with the version of this program that wrote it, npm run backup -- FILE, and restore it with this one into an empty folder: DATA_DIR=… npm run restore -- FILE`,
    ].join('\n'),
  );
}

/** A new secret beside old data would sign everybody out and lock out everybody who has a second factor. */
function readSecrets(root: string, { isNew, hasSecret }: { isNew: boolean; hasSecret: boolean }): string[] {
  const file = join(root, 'secret');
  const secrets = secretsIn(root);
  if (secrets.length > 0 || hasSecret) return secrets;
  if (!isNew) {
    throw new Error(
      `The secret of the data folder ${root} is lost: ${file} is ${existsSync(file) ? 'empty' : 'missing'}. Nothing was changed. Put that file back from your backup, or set AUTH_SECRET. If you have no copy, write 32 random characters into it: everybody has to sign in again, access to tool servers has to be entered again, and second factors have to be removed (npm run admin -- remove-factor EMAIL --reason TEXT).`,
    );
  }
  return addSecrets(root, [newSecret()]);
}

export const newSecret = () => randomBytes(32).toString('base64url');

/** What the file `secret` of a data folder holds, a line each. */
export function secretsIn(root: string): string[] {
  const file = join(root, 'secret');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** Adds secrets after those that the file has, which go on to sign and encrypt; returns all. */
export function addSecrets(root: string, secrets: string[]): string[] {
  const all = [...new Set([...secretsIn(root), ...secrets])];
  writeWhole(join(root, 'secret'), all.join('\n'));
  return all;
}
