import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Disk, DriveFile } from 'flydrive';
import type { Config } from '../../config.ts';
import { AppError } from '../errors.ts';
import { loadOnce } from '../retry.ts';
import { dropEnd } from '../trim.ts';

/** Nothing is stored under a key. */
export class MissingFile extends Error {}

/** Stores the bytes of files, under keys that we make. */
export type FileStorage = ReturnType<typeof createStorage>;

type StorageConfig = Pick<
  Config,
  'DATA_DIR' | 'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'
>;

/** The place of the configured storage, in words for the operator. */
export const filesPlace = ({ S3_BUCKET, S3_ENDPOINT, DATA_DIR }: StorageConfig): string =>
  S3_BUCKET === undefined
    ? `the folder ${folderOf({ DATA_DIR })}`
    : `the bucket ${S3_BUCKET}${S3_ENDPOINT === undefined ? '' : ` at ${S3_ENDPOINT}`}`;

/** The configured storage: the data folder, or a bucket if one is named, which has `patienceMs` to take a file. */
export function createStorage(config: StorageConfig, patienceMs?: number) {
  const isS3 = config.S3_BUCKET !== undefined;
  // The libraries are loaded with the first file.
  const disk = loadOnce(() => openDisk(config, patienceMs));
  /** Stores what a stream brings. */
  const putStream = async (key: string, content: Readable, size: number): Promise<void> =>
    (await disk()).putStream(key, content, { contentLength: size });
  /** Stores a local file under a key. */
  const put = async (key: string, path: string, size: number): Promise<void> => {
    // Open it first: a stream that fails to open would do so before anyone listens, and end the process.
    const file = await open(path);
    await putStream(key, file.createReadStream(), size).finally(() => file.close());
  };
  return {
    kind: isS3 ? ('s3' as const) : ('folder' as const),
    place: filesPlace(config),
    put,
    /** The same for a file that nobody needs afterwards: what a folder took survives a power cut. */
    move: (key: string, path: string, size: number): Promise<void> =>
      isS3 ? put(key, path, size) : moveFile(path, join(folderOf(config), key)),
    putStream,
    /** Throws MissingFile when nothing is stored under the key. */
    get: async (key: string): Promise<Readable> => {
      // The folder's driver would report a missing file only when it is read.
      const files = await disk();
      if (!(await files.exists(key))) throw new MissingFile(`there is no file ${key}`);
      // The reader may be busy when it breaks, and notices on its next read; without a listener it would end the process.
      return (await files.getStream(key)).on('error', () => {});
    },
    /** All of a small file at once, in fewer steps than `get`; undefined when nothing is stored under the key. */
    read: async (key: string) => readWhole(await disk(), key),
    has: async (key: string): Promise<boolean> => (await disk()).exists(key),
    /** Does nothing for an unknown key. */
    delete: async (key: string): Promise<void> => {
      const files = await disk();
      if (await files.exists(key)) await files.delete(key);
    },
    /** The keys of a folder, or of everything below it. */
    keys: async function* (folder: string, isDeep: boolean): AsyncIterable<string> {
      for await (const { key } of filesIn(await disk(), folder, isDeep)) yield key;
    },
    /** Everything whose key begins with the folder's name, with its size in bytes. */
    list: async function* (folder: string): AsyncIterable<{ key: string; size: number }> {
      yield* withSizes(await disk(), folder);
    },
    /** Deletes everything whose key begins with the folder's name. */
    deleteFolder: async (folder: string): Promise<void> => {
      const files = await disk();
      const keys: string[] = [];
      // Listed first: a page that follows on a deletion may be another one.
      for await (const { key } of filesIn(files, folder)) keys.push(key);
      for (const key of keys) await files.delete(key);
    },
    /** Stores a few bytes and deletes them; throws as the others do. */
    probe: async (): Promise<void> => {
      const [files, key] = [await disk(), `probe-${randomUUID()}`];
      await files.put(key, 'A probe.');
      await files.delete(key);
    },
  };
}

const folderOf = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>) => resolve(DATA_DIR, 'files');

/** Flushes the file, then its name and those of folders that it is the first in. */
async function moveFile(from: string, to: string): Promise<void> {
  const made = await mkdir(dirname(to), { recursive: true });
  await flush(from, 'r+');
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await flush(to, 'r+');
  });
  // Windows neither offers nor needs this.
  if (process.platform === 'win32') return;
  const last = dirname(made ?? to);
  for (let folder = dirname(to); folder.length >= last.length; folder = dirname(folder)) await flush(folder, 'r');
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags);
  await file.sync().finally(() => file.close());
}

async function readWhole(disk: Disk, key: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    // Not `getBytes`: of an empty file in a folder it gives 64 KB of memory that was never written.
    return await buffer(await disk.getStream(key));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Opens a stored file for an answer. Throws 404 when its bytes are gone, 503 when the storage fails. */
export const openStored = (storage: FileStorage, key: string, what: string): Promise<Readable> =>
  storage.get(key).catch((cause: unknown) => {
    if (cause instanceof MissingFile) throw new AppError('not_found', `${what} is no longer stored.`, { cause });
    throw new AppError('unavailable', `${what} could not be opened. Please try again.`, { cause });
  });

async function openDisk(config: StorageConfig, patienceMs?: number): Promise<Disk> {
  const { Disk: Opened } = await import('flydrive');
  if (config.S3_BUCKET !== undefined) {
    const { s3Driver } = await import('./s3-driver.ts');
    return new Opened(s3Driver(config, config.S3_BUCKET, patienceMs));
  }
  const { FSDriver } = await import('flydrive/drivers/fs');
  return new Opened(new FSDriver({ location: folderOf(config), visibility: 'private' }));
}

/** The files of a folder. The drivers treat its name as a prefix, which other folders may share. */
async function* filesIn(disk: Disk, name: string, recursive = true): AsyncGenerator<DriveFile> {
  const folder = `${dropEnd(name, /\//)}/`;
  let paginationToken: string | undefined;
  do {
    const listed = await disk
      .listAll(folder, { recursive, ...(paginationToken === undefined ? {} : { paginationToken }) })
      .catch((error: unknown) => {
        if (!isMissing(error)) throw error;
        return { objects: [], paginationToken: undefined };
      });
    for (const object of listed.objects) if (object.isFile && object.key.startsWith(folder)) yield object;
    paginationToken = listed.paginationToken;
  } while (paginationToken !== undefined);
}

async function* withSizes(disk: Disk, folder: string): AsyncGenerator<{ key: string; size: number }> {
  for await (const { key } of filesIn(disk, folder)) {
    // What a bucket lists has no size.
    const size = await disk.getMetaData(key).then(
      ({ contentLength }) => contentLength,
      // It was deleted while the others were listed.
      async (error: unknown) => ((await disk.exists(key)) ? Promise.reject(error) : undefined),
    );
    if (size !== undefined) yield { key, size };
  }
}

/** A missing folder is empty, and a missing file was deleted; every other error must be retried. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'ENOENT') || error.name === 'NoSuchKey' || isMissing(error.cause));

/** The folder of files that are not stored yet, beside the stored ones, so that they can be moved. */
export const incomingFolder = (config: Pick<Config, 'DATA_DIR'>): string => join(config.DATA_DIR, 'files', '.incoming');

/** Where a new file of that folder can be written. */
export async function newIncoming(config: Pick<Config, 'DATA_DIR'>): Promise<string> {
  const folder = incomingFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, randomUUID());
}
