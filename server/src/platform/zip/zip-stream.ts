import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** A file of an archive, its content whole or in pieces. */
export interface ZipEntry {
  path: string;
  content: Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>;
}

const NOTHING = new Uint8Array(0);
const [STORE, DEFLATE] = [0, 8];
/** Packing less takes longer than sending it. */
const PACKED_MIN = 4 * 1024;
const LONG_BYTES = 256 * 1024;
const CHUNK_BYTES = 64 * 1024;
const pack = promisify(deflateRaw);

/** A zip archive, created while it is read: memory holds a few pieces of one file. Packing runs in Node's thread pool. */
export async function* zipStream(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    ready.push(piece);
  });
  const take = () => {
    // The end of each file is an empty one.
    const pieces = ready.filter((piece) => piece.length > 0);
    ready = [];
    return pieces;
  };
  for await (const { path, content } of entries) {
    const compression = isTiny(content) ? STORE : DEFLATE;
    const file: ZipInputFile = { filename: path, size: 0, crc: 0, compression, mtime: new Date() };
    zip.add(file);
    // An empty piece: who reads by turns ends one before something long.
    if (isLong(content)) yield NOTHING;
    for await (const piece of packed(file, content)) {
      file.ondata?.(null, piece, false);
      yield* take();
    }
    file.ondata?.(null, NOTHING, true);
  }
  zip.end();
  yield* take();
}

async function* packed(file: ZipInputFile, content: ZipEntry['content']): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (content instanceof Uint8Array) {
    measure(file, content);
    // A stream for each small file would take longer than its packing.
    return yield isTiny(content) ? content : await pack(content);
  }
  const packer = createDeflateRaw({ level: 6, chunkSize: CHUNK_BYTES });
  // A reader that stops ends the content too, and that is no error; errors of the content leave the loop.
  pipeline(measured(file, content), packer).catch(() => {});
  yield* packer;
}

const isLong = (content: ZipEntry['content']) => !(content instanceof Uint8Array) || content.length > LONG_BYTES;
const isTiny = (content: ZipEntry['content']) => content instanceof Uint8Array && content.length < PACKED_MIN;

/** Records size and checksum for the archive's directory. */
function measure(file: ZipInputFile, piece: Uint8Array): void {
  file.size = (file.size ?? 0) + piece.length;
  file.crc = crc32(piece, file.crc);
}

async function* measured(file: ZipInputFile, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    measure(file, piece);
    yield piece;
  }
}
