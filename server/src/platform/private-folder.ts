import { accessSync, chmodSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';

/** The contents of a data folder: everything deeper is reached through one of these. */
const FOLDERS = ['', 'db', 'files', 'backups'];
const FILES = ['secret', 'lock', 'lock.owner', 'format', 'sandbox-payments.json'];
const OTHERS = 0o077;
const REASONS = new Map<unknown, string>([
  ['EROFS', 'its file system is read-only'],
  ['EACCES', 'another account owns it or a part of it'],
  ['EPERM', 'another account owns it or a part of it'],
  ['ENOSPC', 'its disk is full'],
  ['ENOTDIR', 'a part of the path is a file'],
  ['EEXIST', 'a file has its name'],
]);

/**
 * Creates the data folder if needed and makes it private, contents included, because an earlier version may have left it open. Returns the
 * paths that stayed open: some file systems have no permissions.
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

/** Creates the data folder if needed; throws a sentence for the operator when this process can't write there. */
export function requireWritableFolder(path: string): void {
  const root = resolve(path);
  try {
    // On a read-only file system, creating it only says that it doesn't exist.
    if (!existsSync(root) && existsSync(dirname(root))) accessSync(dirname(root), constants.W_OK);
    mkdirSync(root, { recursive: true, mode: 0o700 });
    for (const path of [...FOLDERS, ...FILES].map((name) => join(root, name))) {
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const reason = REASONS.get(code) ?? String(cause);
    throw new Error(
      `The data folder ${root} can’t be written: ${reason}. Make it writable for this account, or choose another: DATA_DIR=… npm start`,
      { cause },
    );
  }
}

/**
 * The data folder; where database and files are elsewhere and it can't be written, a temporary folder that ends with this process, because
 * nothing that lasts is written there.
 */
export function chooseFolder(config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'S3_BUCKET'>): string {
  const isElsewhere = config.DATABASE_URL !== undefined && config.S3_BUCKET !== undefined;
  if (!isElsewhere || isWritable(config.DATA_DIR)) return config.DATA_DIR;
  const folder = mkdtempSync(join(tmpdir(), 'atelier-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function close(path: string, mode: number): void {
  if (!isOpen(path)) return;
  try {
    chmodSync(path, mode);
  } catch {
    // Shared drives and folders of another owner refuse; the caller reports it.
  }
}

// Windows has other permissions, which Node does not show here.
const isOpen = (path: string) =>
  process.platform !== 'win32' && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
