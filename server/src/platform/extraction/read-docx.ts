import mammoth from 'mammoth';
import { fromBufferPromise } from 'yauzl';
import type { Document } from './passages.ts';
import { readHtml } from './read-html.ts';
import { Unreadable } from './unreadable.ts';

/** The most that all parts of a document may take when unpacked. */
const UNPACKED_MAX = 30 * 1024 * 1024;
const ENTRIES_MAX = 2_000;
const TOO_LARGE = new Unreadable('This document is too large when unpacked (more than 30 MB).');
const DAMAGED = new Unreadable('This document is damaged and can’t be read.');

/** A Word document, one section per heading. Its unpacked size is measured before anything parses it. */
export async function readDocx(data: Uint8Array): Promise<Document> {
  const zip = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const names = await measure(zip).catch((error) => {
    throw error instanceof Unreadable ? error : DAMAGED;
  });
  if (!names.includes('word/document.xml')) {
    throw new Unreadable('The content of this file does not match its name: it is not a Word document.');
  }
  const { value } = await mammoth
    .convertToHtml(
      { buffer: zip },
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    )
    .catch(() => {
      throw DAMAGED;
    });
  return readHtml(new TextEncoder().encode(`<html><body>${value}</body></html>`));
}

/** Unpacks every part and discards it, whatever sizes the archive declares. Returns the parts' names. */
async function measure(zip: Buffer): Promise<string[]> {
  const archive = await fromBufferPromise(zip, { validateEntrySizes: false, decodeStrings: false });
  if (archive.entryCount > ENTRIES_MAX) throw TOO_LARGE;
  const names: string[] = [];
  let unpacked = 0;
  for await (const part of archive.eachEntry()) {
    if (part.isEncrypted()) throw new Unreadable('This document is protected by a password.');
    for await (const piece of await archive.openReadStreamPromise(part)) {
      unpacked += piece.length;
      if (unpacked > UNPACKED_MAX) throw TOO_LARGE;
    }
    names.push(part.fileNameRaw.toString());
  }
  return names;
}
