import { Zip, ZipDeflate } from 'fflate';

/** A file of an archive, its content in pieces. */
export interface ZipEntry {
  path: string;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const NOTHING = new Uint8Array(0);

/** A zip archive, made while it is read: at no time is more in memory than a few pieces of one file. */
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
    const file = new ZipDeflate(path, { level: 6 });
    file.mtime = new Date();
    zip.add(file);
    for await (const piece of content) {
      file.push(piece, false);
      yield* take();
    }
    file.push(NOTHING, true);
    yield* take();
  }
  zip.end();
  yield* take();
}
