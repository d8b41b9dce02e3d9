import { createHash, hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lastMigration, pendingMigrations } from '../database/migrate.ts';
import { jobsToKeep } from '../jobs/job-statements.ts';
import { type FileStorage, MissingFile } from '../storage/storage.ts';
import { type Entry, UnusableBackup, writeArchive } from './archive.ts';
import { type BackupFiles, writeFile } from './backup-files.ts';
import * as format from './format.ts';
import { summed, sumRows } from './format.ts';
import { type Portable, type Rows, tablesOf } from './portable.ts';
import type { SharedFiles } from './shared-files.ts';

/** What is backed up: a database that doesn't change meanwhile, and the files beside it. Without a storage, the tables alone. */
export interface Source {
  database: Portable;
  storage?: FileStorage;
  secrets: string[];
  /** Columns of tables that hold what only the installation's secret opens. */
  sealed: Record<string, string[]>;
}

export interface BackupCounts {
  tables: number;
  rows: number;
  files: number;
  bytes: number;
}

interface Options {
  /** Without one, the backup is not encrypted and holds no secrets. */
  passphrase?: string | undefined;
  onProgress?: (done: number, all: number | undefined) => void;
  /** Without them, uploaded files are in the archive. */
  shared?: SharedFiles;
  /** The folder of the file, if it is one of many. */
  files?: BackupFiles;
}

/**
 * Writes a backup into a new file, which has its name only once it is whole and on the disk. Throws a sentence for the operator and leaves
 * nothing. The caller closes the source's database.
 */
export async function writeBackup(source: Source, file: string, options: Options = {}): Promise<BackupCounts> {
  if (existsSync(file)) throw new Error(`${file} exists already. Name a file that doesn’t.`);
  try {
    const written = { tables: 0, rows: 0, files: 0, bytes: 0 };
    const all = await sizeOf(source);
    let done = 0;
    const count: Count = (bytes) => options.onProgress?.((done += bytes), all);
    const entries = counted(entriesOf(source, options, { written, count }), count);
    await (options.files?.write ?? writeFile)(file, async (sink) => {
      await writeArchive(entries, sink, options.passphrase);
      await options.shared?.list(file);
    });
    return written;
  } catch (error) {
    throw explainWriting(file, error);
  }
}

function explainWriting(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isOurs = error instanceof Error && 'syscall' in error && 'path' in error && String(error.path).startsWith(file);
  if (code === 'ENOSPC') {
    return new Error(`There is no room for ${file}: its disk is full. Nothing was left of it.`, { cause: error });
  }
  return isOurs ? new Error(`${file} can’t be written: ${error.message}.`, { cause: error }) : error;
}

/** About as many bytes as a backup will read; undefined where it takes long to count them. */
async function sizeOf({ database, storage }: Source): Promise<number | undefined> {
  if (storage?.kind === 's3') return undefined;
  const { rows } = await database.executeSql(
    `select coalesce(sum(pg_table_size(oid)), 0)::float8 as size from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    [],
  );
  let size = Number(rows[0]?.size);
  for await (const file of storage?.list('userFiles') ?? []) size += file.size;
  return size;
}

type Count = (bytes: number) => void;

async function* counted(entries: AsyncIterable<Entry>, count: Count) {
  for await (const entry of entries) {
    yield entry;
    count(entry.size);
  }
}

const NO_FILES = hash('sha256', '');

function json(name: string, value: unknown): Entry & { sha256: string } {
  const content = Buffer.from(JSON.stringify(value));
  return { name, size: content.length, content: [content], sha256: hash('sha256', content) };
}

interface Sums {
  written: BackupCounts;
  count: Count;
}

async function* entriesOf(source: Source, { passphrase, shared }: Options, sums: Sums): AsyncGenerator<Entry> {
  const { written } = sums;
  const { database } = source;
  // Says so when a newer version wrote it.
  await pendingMigrations(database);
  const tables = await tablesOf(database);
  const header: format.Header = {
    format: 1,
    madeAt: new Date().toISOString(),
    migration: await lastMigration(database),
    tables,
    secrets: passphrase === undefined ? null : source.secrets,
    ...(shared === undefined ? {} : { shared: { key: shared.key } }),
  };
  const first = json(format.HEADER, header);
  yield first;
  const manifest = format.emptyManifest();
  manifest.header = first.sha256;
  for (const table of tables) {
    const sum = sumRows();
    const withheld = passphrase === undefined ? source.sealed[table.name] : undefined;
    let at = 0;
    for await (const piece of inPieces(database.copyOut(table, withheld))) {
      sum.update(piece);
      yield { name: format.tableEntry(table.name, at++), size: piece.length, content: [piece] };
    }
    const digest = sum.digest();
    manifest.tables.push({ name: table.name, ...digest });
    written.tables += 1;
    written.rows += digest.rows;
  }
  const jobs = json(format.JOBS, await jobsToKeep(database));
  yield jobs;
  manifest.jobs = jobs.sha256;
  if (source.storage === undefined) manifest.files.sha256 = NO_FILES;
  else {
    // The files need no snapshot. The caller keeps the database open, and other backups out, until the end.
    await database.executeSql('commit', []);
    yield* fileEntries(source.storage, shared, manifest, sums);
  }
  yield json(format.MANIFEST, manifest);
}

async function* inPieces(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of rows) {
    pieces.push(chunk);
    size += chunk.length;
    if (size < format.PIECE_BYTES) continue;
    yield Buffer.concat(pieces);
    [pieces, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(pieces);
}

/** Every stored file unless it is shared, and after some hundred their hashes. */
async function* fileEntries(
  storage: FileStorage,
  shared: SharedFiles | undefined,
  { files }: format.Manifest,
  { written, count }: Sums,
): AsyncGenerator<Entry> {
  const whole = createHash('sha256');
  let hashes: { key: string; size: number; sha256: string }[] = [];
  let lists = 0;
  const list = () => {
    const entry = json(format.hashesEntry(lists++), hashes);
    hashes = [];
    for (const chunk of entry.content as Buffer[]) whole.update(chunk);
    return entry;
  };
  for await (const { key, size } of storage.list('userFiles')) {
    if (!format.isKey(key))
      throw new UnusableBackup(`The stored file “${key}” has a name that this program doesn’t give.`);
    const openFile = () => openStored(storage, key);
    const stored = await openFile();
    if (stored === undefined) continue;
    const sum = createHash('sha256');
    const content = summed(stored, sum);
    if (shared === undefined) yield { name: format.fileEntry(key), size, content };
    else for await (const _ of content);
    const sha256 = sum.digest('hex');
    if (shared !== undefined) {
      if (!(await shared.keep({ sha256, size }, openFile))) continue;
      count(size);
    }
    hashes.push({ key, size, sha256 });
    files.count += 1;
    files.bytes += size;
    if (hashes.length === format.FILES_AT_ONCE) yield list();
  }
  if (hashes.length > 0) yield list();
  files.sha256 = whole.digest('hex');
  [written.files, written.bytes] = [files.count, files.bytes];
}

/** Undefined for a file that was deleted since it was listed. */
async function openStored(storage: FileStorage, key: string): Promise<Rows | undefined> {
  const stored = await storage.get(key).catch((cause: unknown) => {
    if (cause instanceof MissingFile) return undefined;
    throw new Error(`The stored file “${key}” can’t be read, so no backup was made.`, { cause });
  });
  if (stored === undefined) return undefined;
  return (async function* () {
    try {
      for await (const chunk of stored) yield chunk as Uint8Array;
    } catch (cause) {
      throw new Error(`The stored file “${key}” can’t be read to its end, so no backup was made.`, { cause });
    }
  })();
}
