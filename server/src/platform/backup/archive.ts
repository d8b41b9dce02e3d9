import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { type Pack, extract as readTar, pack as writeTar } from 'tar-stream';
import { type BackupFiles, openFile } from './backup-files.ts';
import { summed } from './format.ts';

type Bytes = AsyncIterable<Uint8Array>;
export type Open = BackupFiles['open'];

/** A file of an archive; `size` in bytes. */
export interface Entry {
  name: string;
  size: number;
  content: Bytes | Iterable<Uint8Array>;
}

type Entries = AsyncIterable<Entry> | Iterable<Entry>;

/** A backup that can't be used as it is; its message is a sentence for the operator. */
export class UnusableBackup extends Error {}

export const damaged = (why: string) =>
  new UnusableBackup(`This backup is damaged or was cut off: ${why}. Nothing was restored from it. Use another one.`);

const AGE = 'age-encryption.org/v1';
const ZSTD = Buffer.from('28b52ffd', 'hex');
/** Each piece costs a turn of the event loop. */
const CHUNK_BYTES = 256 * 1024;
/** A frame that zstd skips: so the file remains one that every zstd can read. */
const SEAL = Buffer.from('502a4d1820000000', 'hex');
const SEAL_BYTES = SEAL.length + 32;
const sealOf = (hash: Hash) => Buffer.concat([SEAL, hash.digest()]);

/**
 * Writes entries as one stream: tar, compressed with zstd, ended by a hash of all that, and encrypted in the age format if there is a
 * passphrase or one of age's own keys. Tools for these three read it.
 */
export async function writeArchive(entries: Entries, sink: Writable, passphrase?: string): Promise<void> {
  const pack = writeTar();
  fill(pack, entries).catch((error: Error) => pack.destroy(error));
  const compress = createZstdCompress({ chunkSize: CHUNK_BYTES, params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  if (passphrase === undefined) return pipeline(pack, compress, seal, sink);
  await pipeline(pack, compress, seal, await encrypting(passphrase), sink);
}

async function fill(pack: Pack, entries: Entries): Promise<void> {
  for await (const { name, size, content } of entries) {
    await pipeline(content, pack.entry({ name, size, mode: 0o600, mtime: new Date(0) }));
  }
  pack.finalize();
}

async function* seal(source: Bytes) {
  const hash = createHash('sha256');
  yield* summed(source, hash);
  yield sealOf(hash);
}

/** A passphrase is slow on purpose, too slow for each of many files. */
const isKey = (passphrase: string) => passphrase.startsWith('AGE-SECRET-KEY-1');

/** A new key that encrypts as a passphrase does, at once. */
export const newKey = async (): Promise<string> => (await import('age-encryption')).generateX25519Identity();

async function encrypting(passphrase: string) {
  const { Encrypter, identityToRecipient } = await import('age-encryption');
  const encrypter = new Encrypter();
  if (isKey(passphrase)) encrypter.addRecipient(await identityToRecipient(passphrase));
  else encrypter.setPassphrase(passphrase);
  return async function* (source: Bytes) {
    yield* await encrypter.encrypt(ReadableStream.from(source) as never);
  };
}

/**
 * Reads the entries of an archive one after another; each must be read to its end before the next. Only after the last one is it known
 * whether the archive is whole: throws `UnusableBackup` at the latest then.
 */
export async function* readArchive(path: string, passphrase?: string, open: Open = openFile): AsyncGenerator<Entry> {
  const { kind, source } = await begin(path, open);
  if (kind === 'age' && passphrase === undefined) {
    source.destroy();
    throw new UnusableBackup(
      'This backup is encrypted. Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE, or type the passphrase at a terminal.',
    );
  }
  const tar = readTar();
  const unpack = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  const reading =
    kind === 'age'
      ? pipeline(source, await decrypting(passphrase ?? ''), unseal, unpack, tar)
      : pipeline(source, unseal, unpack, tar);
  reading.catch(() => {});
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header;
      if (type !== 'file') throw damaged(`“${name}” is not a file`);
      yield { name, size, content: explained(entry) };
    }
    await reading;
  } catch (error) {
    throw explain(error);
  } finally {
    tar.destroy();
  }
}

/** Opens an archive; says by its first bytes of which kind it is. */
async function begin(path: string, open: Open): Promise<{ kind: 'age' | 'plain'; source: Readable }> {
  try {
    const source = await open(path);
    const first = await readStart(source);
    if (first.toString('latin1') === AGE) return { kind: 'age', source };
    if (first.subarray(0, ZSTD.length).equals(ZSTD)) return { kind: 'plain', source };
    source.destroy();
  } catch (error) {
    throw explain(error);
  }
  throw new UnusableBackup(`${path} is no backup of this program, or its beginning is damaged.`);
}

/** The first bytes of a stream, which stay in it if there are enough of them. */
async function readStart(source: Readable): Promise<Buffer> {
  const ended = once(source, 'end');
  ended.catch(() => {});
  let read = Buffer.alloc(0);
  while (read.length < AGE.length && !source.readableEnded) {
    const piece: Buffer | null = source.read();
    if (source.errored !== null) throw source.errored;
    if (piece === null) await Promise.race([once(source, 'readable'), ended]);
    else read = Buffer.concat([read, piece]);
  }
  if (read.length >= AGE.length) source.unshift(read);
  return read.subarray(0, AGE.length);
}

async function* unseal(source: Bytes) {
  const hash = createHash('sha256');
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    const all = Buffer.concat([rest, chunk]);
    const cut = Math.max(0, all.length - SEAL_BYTES);
    hash.update(all.subarray(0, cut));
    rest = all.subarray(cut);
    if (cut > 0) yield all.subarray(0, cut);
  }
  if (!rest.equals(sealOf(hash))) throw damaged('its hash is not that of its content');
}

async function decrypting(passphrase: string) {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  if (isKey(passphrase)) decrypter.addIdentity(passphrase);
  else decrypter.addPassphrase(passphrase);
  return async function* (source: Bytes) {
    const plain = await decrypter.decrypt(ReadableStream.from(source) as never).catch((cause: unknown) => {
      throw new UnusableBackup('The passphrase is not that of this backup, or the beginning of the file is damaged.', {
        cause,
      });
    });
    yield* plain as unknown as Bytes;
  };
}

async function* explained(content: Bytes): Bytes {
  try {
    yield* content;
  } catch (error) {
    throw explain(error);
  }
}

/** The libraries that read an archive know no more than that it isn't one. */
function explain(error: unknown): Error {
  if (error instanceof UnusableBackup) return error;
  if (error instanceof Error && 'syscall' in error) {
    return new UnusableBackup(`The backup can’t be read: ${error.message}.`, { cause: error });
  }
  return Object.assign(damaged('it can’t be unpacked'), { cause: error });
}
