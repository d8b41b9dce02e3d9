import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { IMPORT_LIMITS } from '@atelier/contract/transfer/imports';
import type { Received } from '../../../platform/http/upload.ts';
import { BadZip, openZip, type ZipPart } from '../../../platform/zip/zip-file.ts';

/** The files of an export that may hold conversations. */
export interface ExportParts {
  parts: ZipPart[];
  isZip: boolean;
  close: () => void;
}

const BLANK = [0xef, 0xbb, 0xbf, 0x20, 0x09, 0x0a, 0x0d];

/** Opens a file that may be an export of another program, by what it begins with; null for anything else. Throws `BadZip` for one that is too large. */
export async function openExport({ path, size, head }: Received): Promise<ExportParts | null> {
  if (head.subarray(0, 2).toString('latin1') === 'PK') return openArchived(path);
  const first = head.find((byte) => !BLANK.includes(byte));
  if (first !== 0x5b && first !== 0x7b) return null;
  if (size > IMPORT_LIMITS.words) throw new BadZip('too large');
  return { parts: [{ size, open: async () => createReadStream(path) }], isZip: false, close: () => {} };
}

/** In a zip, the files of ChatGPT and Claude have these names; other programs export one file, which people pack as they like. */
async function openArchived(path: string): Promise<ExportParts | null> {
  const zip = await openZip(path, IMPORT_LIMITS.entries).catch((error: unknown) => {
    // Whatever is wrong with it, the reader of our own archives says it.
    if (error instanceof BadZip) return null;
    throw error;
  });
  if (zip === null) return null;
  const named = [...zip.parts].flatMap(([name, part]) => ({
    name: (name.split('/').at(-1) ?? '').toLowerCase(),
    part,
  }));
  const json = zip.parts.has('archive.json') ? [] : named.filter(({ name }) => name.endsWith('.json'));
  const talks = json.filter(({ name }) => name.startsWith('conversations'));
  const parts = (talks.length > 0 ? talks : json).map(({ part }) => part);
  const isTooLarge = parts.reduce((sum, { size }) => sum + size, 0) > IMPORT_LIMITS.words;
  if (parts.length > 0 && !isTooLarge) return { parts, isZip: true, close: zip.close };
  zip.close();
  if (isTooLarge) throw new BadZip('too large');
  return null;
}

/** A file of an archive while it grows: rows as JSON, one a line. */
export interface RowsFile {
  add(row: object): Promise<void>;
  /** Its content; nothing can be added any more. */
  end(): Promise<AsyncIterable<Uint8Array>>;
  remove(): Promise<void>;
}

/** Rows on disk, because an export may hold more of them than memory does. */
export function openRowsFile(path: string): RowsFile {
  const stream: WriteStream = createWriteStream(path, { mode: 0o600 });
  // A full disk fails the next write, or the end.
  stream.on('error', () => {});
  let separator = '[\n';
  const write = async (text: string) => {
    if (stream.errored) throw stream.errored;
    if (!stream.write(text)) await once(stream, 'drain');
  };
  return {
    async add(row) {
      await write(separator + JSON.stringify(row));
      separator = ',\n';
    },
    async end() {
      await write(separator === '[\n' ? '[]\n' : '\n]\n');
      stream.end();
      await finished(stream);
      return createReadStream(path);
    },
    async remove() {
      stream.destroy();
      await rm(path, { force: true });
    },
  };
}
