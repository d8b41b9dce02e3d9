import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** A file of an archive, its content in pieces. */
export interface ZipEntry {
  path: string;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const NOTHING = new Uint8Array(0);
const DEFLATE = 8;

/**
 * A zip archive, created while it is read: memory holds only a few pieces of one file at a time. Packing runs in Node's thread pool, so
 * other requests don't wait for it.
 */
export async function* zipStream(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let ready: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    ready.push(new Uint8Array(piece));
  });
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  for await (const { path, content } of entries) {
    const file: ZipInputFile = { filename: path, size: 0, crc: 0, compression: DEFLATE, mtime: new Date() };
    zip.add(file);
    const packed = createDeflateRaw({ level: 6 });
    // A reader that stops ends the content too, and that is no error; errors of the content leave the loop.
    pipeline(measured(file, content), packed).catch(() => {});
    for await (const piece of packed) {
      file.ondata?.(null, piece, false);
      yield* take();
    }
    file.ondata?.(null, NOTHING, true);
    yield* take();
  }
  zip.end();
  yield* take();
}

/** The content unchanged, recording its size and checksum for the archive's directory. */
async function* measured(file: ZipInputFile, content: ZipEntry['content']): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    file.size = (file.size ?? 0) + piece.length;
    file.crc = crc32(piece, file.crc);
    yield piece;
  }
}
