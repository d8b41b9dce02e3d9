import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { connectCommands, type Reply } from '../command-socket.ts';
import type { BaseBackup } from '../database/database.ts';
import { NO_SYNC, openDurablePglite } from '../database/durable-node-fs.ts';
import { explainOpening, requireFiles } from '../database/folder/explain-opening.ts';
import { lockFolder } from '../database/folder/lock-folder.ts';
import { lockBackups } from './backup-folder.ts';
import { type Portable, portablePglite, SAME_TEXT } from './portable.ts';

const [BEGIN, END] = ['backup-begin', 'backup-end'];

/** What a running server answers to a process that copies its database; null for any other command. */
export function answerBaseBackup(backup: BaseBackup | undefined) {
  return async ([command]: string[], gone: AbortSignal): Promise<Reply | null> => {
    if (backup === undefined || (command !== BEGIN && command !== END)) return null;
    if (command === END) return { ok: true, message: await backup.end() };
    try {
      await backup.begin();
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
    const release = () => void backup.release().catch(() => {});
    if (gone.aborted) release();
    else gone.addEventListener('abort', release);
    return { ok: true, message: '' };
  };
}

const CONTROL = join('global', 'pg_control');
/** The log and the control file are copied last; the rest belongs to the process that runs. */
const NOT_YET = ['pg_wal', CONTROL, 'postmaster.pid', 'postmaster.opts'];

/**
 * Opens a copy of a data folder's database, made while its server goes on, or while nobody else can open the folder. The copy is in the
 * folder itself and goes with `close`, or with the next one if this process is killed. Throws a sentence for the operator.
 */
export async function openCopy(folder: string): Promise<Portable> {
  const root = resolve(folder);
  if (!existsSync(join(root, 'db'))) {
    throw new Error(`There is no database in ${root}. Set DATA_DIR or DATABASE_URL as the server has them.`);
  }
  const copy = join(root, 'backups', 'copy');
  const release = lockCopies(root);
  const remove = () => {
    rmSync(copy, { recursive: true, force: true });
    release();
  };
  try {
    rmSync(copy, { recursive: true, force: true });
    await copyDatabase(root, copy);
    const database = await openDatabaseFiles(copy, NO_SYNC);
    return { ...database, close: () => database.close().then(remove) };
  } catch (error) {
    remove();
    throw explainOpening(root, error);
  }
}

function lockCopies(root: string): () => void {
  try {
    return lockBackups(join(root, 'backups'));
  } catch (error) {
    throw explainOpening(root, error);
  }
}

/** Opens the embedded database in a folder to be read or filled whole. Throws where a file of it is missing. */
export async function openDatabaseFiles(db: string, sync?: typeof NO_SYNC): Promise<Portable> {
  const pglite = await openDurablePglite(db, sync);
  await requireFiles(pglite, db);
  await pglite.exec(SAME_TEXT);
  return portablePglite(pglite);
}

async function copyDatabase(root: string, copy: string): Promise<void> {
  const db = join(root, 'db');
  const server = await connectCommands(root);
  if (server === null) {
    const release = lockFolder(root);
    return copyTree(db, copy).finally(release);
  }
  const ask = async (command: string) => {
    const { ok, message } = await server.send([command]);
    if (!ok) throw new Error(message);
    return message;
  };
  try {
    await ask(BEGIN);
    await copyTree(db, copy, NOT_YET);
    const label = await ask(END);
    await copyTree(join(db, 'pg_wal'), join(copy, 'pg_wal'));
    await copyFile(join(db, CONTROL), join(copy, CONTROL));
    writeFileSync(join(copy, 'backup_label'), label, { mode: 0o600 });
  } finally {
    server.close();
  }
}

/** Unlike Node's own, it goes on where a file is deleted meanwhile. */
async function copyTree(from: string, to: string, without: string[] = [], inside = ''): Promise<void> {
  mkdirSync(join(to, inside), { recursive: true, mode: 0o700 });
  for (const entry of await readdir(join(from, inside), { withFileTypes: true })) {
    const path = join(inside, entry.name);
    if (without.includes(path)) continue;
    if (entry.isDirectory()) await copyTree(from, to, without, path);
    else
      await copyFile(join(from, path), join(to, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
  }
}
