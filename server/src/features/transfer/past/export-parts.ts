import { createReadStream } from 'node:fs';
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
