import { createHash, hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { knowsMigration } from '../database/migrate.ts';
import { parsedJson } from '../parsed-json.ts';
import { damaged, type Entry, type Open, readArchive, UnusableBackup } from './archive.ts';
import * as format from './format.ts';
import { summed, sumRows, type TableSum } from './format.ts';
import type { Rows, TableColumns } from './portable.ts';
import { readShared } from './shared-files.ts';

type Jobs = z.infer<typeof format.jobRows>;

/** Receives what a backup holds, in this order; whatever it gets it must read to its end. Nothing of it is proven before all is read. */
interface Receiver {
  header?(header: format.Header): Promise<void>;
  table?(table: TableColumns, rows: Rows): Promise<void>;
  jobs?(jobs: Jobs): Promise<void>;
  file?(key: string, size: number, content: Rows): Promise<void>;
}

export interface Contents {
  header: format.Header;
  manifest: format.Manifest;
}

/** How many bytes of tables and files there may be. */
export interface Limits {
  tables: number;
  files: number;
}

interface Options {
  passphrase?: string | undefined;
  limits?: Limits | undefined;
  /** Opens the backup, and files that it shares, where it isn't on this machine. */
  open?: Open | undefined;
  onProgress?: ((bytes: number) => void) | undefined;
}

/** A list in a backup is held in memory. */
const LIST_BYTES = 128 * 1024 * 1024;

/**
 * Reads a backup from end to end, and compares every hash and every count with what there is. Throws `UnusableBackup` where something
 * differs, and what the receiver throws.
 */
export async function readBackup(path: string, receiver: Receiver = {}, options: Options = {}): Promise<Contents> {
  const count = counter(options);
  const entries = counted(readArchive(path, options.passphrase, options.open), count);
  const shared = (key: string | null, file: FileHash): Entry => {
    const content = readShared(path, key, file, options.open);
    const entry = { name: format.fileEntry(file.key), size: file.size, content };
    count(entry);
    return entry;
  };
  try {
    return await readEntries(createCursor(entries), receiver, shared);
  } finally {
    await entries.return(undefined);
  }
}

/** What a backup says at its beginning; nothing of it is proven. */
export async function readHeader(path: string, passphrase: string | undefined, open: Open): Promise<format.Header> {
  const entries = readArchive(path, passphrase, open);
  try {
    return (await createCursor(entries).json(format.HEADER, format.headerShape)).value;
  } finally {
    await entries.return(undefined);
  }
}

/** Counts what is unpacked: a few bytes may unpack to more than any disk holds. */
function counter({ limits, onProgress }: Options) {
  const remaining = {
    tables: limits?.tables ?? Number.POSITIVE_INFINITY,
    files: limits?.files ?? Number.POSITIVE_INFINITY,
  };
  return ({ name, size }: Entry): void => {
    const kind = name.startsWith('files/') ? 'files' : 'tables';
    remaining[kind] -= size;
    if (remaining[kind] < 0) throw new UnusableBackup('This backup unpacks to more than there is room for.');
    onProgress?.(size);
  };
}

async function* counted(entries: AsyncIterable<Entry>, count: (entry: Entry) => void): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    count(entry);
    yield entry;
  }
}

/** The entries one after another, with a look at the next one. */
function createCursor(entries: AsyncGenerator<Entry>) {
  let next: Entry | undefined;
  const peek = async () => {
    next ??= (await entries.next()).value as Entry | undefined;
    return next;
  };
  const take = async (name: string): Promise<Entry> => {
    const entry = await peek();
    if (entry?.name !== name) throw damaged(`“${entry?.name ?? 'its end'}” comes where “${name}” belongs`);
    next = undefined;
    return entry;
  };
  return {
    peek,
    take,
    async json<T>(name: string, shape: z.ZodType<T>): Promise<{ value: T; bytes: Buffer }> {
      const { size, content } = await take(name);
      if (size > LIST_BYTES) throw damaged(`“${name}” is too large`);
      const bytes = await buffer(content as Rows);
      const { data } = shape.safeParse(parsedJson(bytes.toString()));
      if (data === undefined) throw damaged(`“${name}” is not as this program writes it`);
      return { value: data, bytes };
    },
  };
}
type Cursor = ReturnType<typeof createCursor>;

type FileHash = z.infer<typeof format.fileHashes>[number];
/** The entry of a file that is beside the archive. */
type OpenShared = (key: string | null, file: FileHash) => Entry;

async function readEntries(cursor: Cursor, receiver: Receiver, openShared: OpenShared): Promise<Contents> {
  const { value: header, bytes: first } = await cursor.json(format.HEADER, format.headerShape);
  if (!knowsMigration(header.migration)) {
    throw new UnusableBackup(
      'This backup was made by a newer version of this program. Nothing was restored. Start that version, or a newer one.',
    );
  }
  await receiver.header?.(header);
  const actual = format.emptyManifest();
  actual.header = hash('sha256', first);
  for (const table of header.tables) {
    actual.tables.push({ name: table.name, ...(await readTable(cursor, table, receiver)) });
  }
  const jobs = await cursor.json(format.JOBS, format.jobRows);
  await receiver.jobs?.(jobs.value);
  actual.jobs = hash('sha256', jobs.bytes);
  const { shared } = header;
  await readFiles(cursor, receiver, actual.files, shared && ((file) => openShared(shared.key, file)));
  const { value: manifest } = await cursor.json(format.MANIFEST, format.manifestShape);
  if (!isDeepStrictEqual(manifest, actual)) throw damaged('its list and its content differ');
  if ((await cursor.peek()) !== undefined) throw damaged('something comes after its end');
  return { header, manifest };
}

async function readTable(cursor: Cursor, table: TableColumns, receiver: Receiver): Promise<TableSum> {
  const sum = sumRows();
  const rows = async function* () {
    for (let at = 0; (await cursor.peek())?.name.startsWith(`tables/${table.name}/`) === true; at += 1) {
      yield* summed((await cursor.take(format.tableEntry(table.name, at))).content, sum);
    }
  };
  await (receiver.table?.(table, rows()) ?? drain(rows()));
  const { rows: counted, ...hashes } = sum.digest();
  if (!Number.isInteger(counted)) throw damaged(`the last row of “${table.name}” has no end`);
  return { rows: counted, ...hashes };
}

async function drain(rows: Rows): Promise<void> {
  for await (const _ of rows);
}

async function readFiles(
  cursor: Cursor,
  receiver: Receiver,
  files: format.Manifest['files'],
  beside: ((file: FileHash) => Entry) | undefined,
): Promise<void> {
  const whole = createHash('sha256');
  for (let lists = 0; ; lists += 1) {
    const read: FileHash[] = [];
    for (let entry = await cursor.peek(); entry?.name.startsWith('files/') === true; entry = await cursor.peek()) {
      read.push(await readFile(await cursor.take(entry.name), receiver));
      if (read.length > format.FILES_AT_ONCE) throw damaged('hashes of files are missing');
    }
    if (read.length === 0 && (beside === undefined || (await cursor.peek())?.name !== format.hashesEntry(lists))) break;
    const { value, bytes } = await cursor.json(format.hashesEntry(lists), format.fileHashes);
    if (beside !== undefined) for (const file of value) read.push(await readFile(beside(file), receiver));
    if (!isDeepStrictEqual(value, read)) throw damaged('a file is not the one that was backed up');
    whole.update(bytes);
    files.count += read.length;
    files.bytes += read.reduce((sum, { size }) => sum + size, 0);
  }
  files.sha256 = whole.digest('hex');
}

async function readFile({ name, size, content }: Entry, receiver: Receiver): Promise<FileHash> {
  const key = name.slice('files/'.length);
  if (!format.isKey(key)) throw damaged(`“${key}” is no name of a stored file`);
  const sum = createHash('sha256');
  const bytes = summed(content, sum);
  await (receiver.file?.(key, size, bytes) ?? drain(bytes));
  return { key, size, sha256: sum.digest('hex') };
}
