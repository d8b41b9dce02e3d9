import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { appendFile, type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { callbackify } from 'node:util';
import { syncDirectory, writeWhole } from '../database/folder/sync-tree.ts';
import { createStorage } from '../storage/storage.ts';

type Fill = (sink: Writable) => Promise<void>;

/** A folder of backups, on this machine or in a bucket. Its files are named by path or key. */
export interface BackupFiles {
  folder: string;
  /** A name in words for the operator. */
  shown(path: string): string;
  /** Where this machine has room for what is under way. */
  scratch: string;
  list(folder: string, isDeep?: boolean): Promise<string[]>;
  has(path: string): Promise<boolean>;
  open(path: string): Promise<Readable>;
  /** Writes a file that has its name only once all of it is there. */
  write(path: string, fill: Fill): Promise<void>;
  put(path: string, text: string): Promise<void>;
  /** Adds to a file; in a bucket, as a file beside it with a longer name. */
  append(path: string, text: string): Promise<void>;
  /** Does nothing where there is none. */
  remove(path: string): Promise<void>;
}

/** Opens a file of this machine; each piece costs a turn of the event loop. */
export const openFile = async (path: string): Promise<Readable> =>
  // Who reads it hears of an error; without a listener it would end the process before that.
  createReadStream(path, { highWaterMark: 256 * 1024 }).on('error', () => {});

/** So much is written before it is flushed: a disk that takes all of a backup at once keeps the server's commits waiting. */
const FLUSH_BYTES = 8 * 1024 * 1024;

function flushing(file: FileHandle): Writable {
  let unflushed = 0;
  const take = callbackify(async (chunk: Uint8Array) => {
    await file.writeFile(chunk);
    unflushed += chunk.length;
    if (unflushed >= FLUSH_BYTES) await file.datasync();
    if (unflushed >= FLUSH_BYTES) unflushed = 0;
  });
  const [flush, close] = [callbackify(() => file.sync()), callbackify(() => file.close())];
  return new Writable({
    write: (chunk, _, done) => take(chunk, done),
    final: flush,
    destroy: (error, done) => close((failed) => done(error ?? failed)),
  });
}

/** Writes a file that has its name only once all of it is there and on the disk; what fails leaves nothing. */
export async function writeFile(path: string, fill: Fill): Promise<void> {
  const part = `${path}.part`;
  try {
    await fill(flushing(await open(part, 'w', 0o600)));
    renameSync(part, path);
    syncDirectory(dirname(path));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

const makeFolder = (path: string) => mkdirSync(path, { recursive: true, mode: 0o700 });

/** A folder of this machine; it is made with the first file. */
export const folderAt = (folder: string): BackupFiles => ({
  folder,
  shown: (path) => path,
  scratch: folder,
  async list(path, isDeep = false) {
    const entries = existsSync(path) ? await readdir(path, { recursive: isDeep, withFileTypes: true }) : [];
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  },
  has: async (path) => existsSync(path),
  open: openFile,
  async write(path, fill) {
    makeFolder(dirname(path));
    await writeFile(path, fill);
  },
  async put(path, text) {
    makeFolder(dirname(path));
    writeWhole(path, text);
  },
  async append(path, text) {
    makeFolder(dirname(path));
    await appendFile(path, text, { mode: 0o600, flush: true });
  },
  remove: (path) => rm(path, { force: true }),
});

const ADDRESS = /^s3:\/\/(?<bucket>[^/]+)\/(?<key>[^/].*)$/u;
export const isBucket = (place: string): boolean => place.startsWith('s3://');

type Settings = Parameters<typeof createStorage>[0];
/** An upload that takes longer has failed. */
const UPLOAD_MS = 3_600_000;

/** A folder of a bucket, by an address such as `s3://BUCKET/FOLDER`. What is written to it takes its room on this machine until it is there. */
function bucketAt(address: string, config: Settings): BackupFiles {
  const { bucket, key: folder = '' } = ADDRESS.exec(address.replace(/\/$/u, ''))?.groups ?? {};
  if (bucket === undefined) throw new Error(`${address} names no folder in a bucket, such as s3://BUCKET/FOLDER.`);
  const storage = createStorage({ ...config, S3_BUCKET: bucket }, UPLOAD_MS);
  const scratch = resolve(config.DATA_DIR, 'backups', 'scratch');
  const put = (key: string, content: string) =>
    storage.putStream(key, Readable.from([Buffer.from(content)]), Buffer.byteLength(content));
  return {
    folder,
    shown: (key) => `s3://${bucket}/${key}`,
    scratch,
    async list(path, isDeep = false) {
      const keys: string[] = [];
      for await (const key of storage.keys(path, isDeep)) keys.push(key);
      return keys;
    },
    has: storage.has,
    open: storage.get,
    async write(key, fill) {
      const file = join(scratch, basename(key));
      makeFolder(scratch);
      try {
        await writeFile(file, fill);
        await storage.put(key, file, statSync(file).size);
      } finally {
        rmSync(file, { force: true });
      }
    },
    put,
    append: (key, content) => put(`${key}.${randomUUID()}`, content),
    remove: storage.delete,
  };
}

/** The folder of backups of this name. Throws a sentence for the operator. */
export const filesAt = (place: string, config: Settings): BackupFiles =>
  isBucket(place) ? bucketAt(place, config) : folderAt(resolve(place));
