import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile as Yauzl } from 'yauzl';

/** Why an archive can't be read: it is none, it is damaged, or it is larger than was allowed. */
export class BadZip extends Error {
  readonly reason: 'damaged' | 'too large';

  constructor(reason: BadZip['reason'], cause?: unknown) {
    super(`the archive is ${reason}`, { cause });
    this.reason = reason;
  }
}

export interface ZipPart {
  /** Unpacked, in bytes. The reader fails when it is not true. */
  size: number;
  open: () => Promise<Readable>;
}

export interface ZipFile {
  parts: ReadonlyMap<string, ZipPart>;
  close: () => void;
}

/** Opens an archive on disk and reads its directory, not its contents. Throws `BadZip`. */
export async function openZip(path: string, maxEntries: number): Promise<ZipFile> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, validateEntrySizes: true }).catch(
    (cause: unknown) => {
      throw new BadZip('damaged', cause);
    },
  );
  try {
    if (zip.entryCount > maxEntries) throw new BadZip('too large');
    return { parts: await readDirectory(zip), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error instanceof BadZip ? error : new BadZip('damaged', error);
  }
}

async function readDirectory(zip: Yauzl): Promise<Map<string, ZipPart>> {
  const parts = new Map<string, ZipPart>();
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted() || parts.has(entry.fileName)) throw new BadZip('damaged');
    parts.set(entry.fileName, { size: entry.uncompressedSize, open: () => openPart(zip, entry) });
  }
  return parts;
}

const openPart = (zip: Yauzl, entry: Entry) =>
  zip.openReadStreamPromise(entry).catch((cause: unknown) => {
    throw new BadZip('damaged', cause);
  });

/** The lines of a part, without those that are longer than `maxChars`: `null` stands for each of these. Throws `BadZip`. */
export async function* linesOf(part: ZipPart, maxChars: number): AsyncGenerator<string | null> {
  const stream = (await part.open()).setEncoding('utf8');
  let line = '';
  let tooLong = false;
  try {
    for await (const piece of stream as AsyncIterable<string>) {
      let from = 0;
      for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
        tooLong ||= line.length + end - from > maxChars;
        yield tooLong ? null : line + piece.slice(from, end);
        line = '';
        tooLong = false;
        from = end + 1;
      }
      tooLong ||= line.length + piece.length - from > maxChars;
      line = tooLong ? '' : line + piece.slice(from);
    }
  } catch (cause) {
    throw new BadZip('damaged', cause);
  } finally {
    stream.destroy();
  }
  if (tooLong || line !== '') yield tooLong ? null : line;
}
