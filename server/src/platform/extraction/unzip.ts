import { fromBufferPromise } from 'yauzl';
import { Unreadable } from './unreadable.ts';

/** The most that all parts of a document may take when unpacked. */
const UNPACKED_MAX = 120 * 1024 * 1024;
const ENTRIES_MAX = 5_000;
const TOO_LARGE = new Unreadable('This document is too large when unpacked (more than 120 MB).');
export const DAMAGED = new Unreadable('This document is damaged and can’t be read.');
export const PROTECTED = new Unreadable(
  'This document is protected by a password. Remove the protection and upload it again.',
);

/**
 * Unpacks every part of an archive and discards it, whatever sizes the archive declares; nothing else may unpack it before. Returns the
 * parts' names. Throws Unreadable when it is damaged, protected or too large.
 */
export async function measureZip(data: Uint8Array): Promise<string[]> {
  return await measure(Buffer.from(data.buffer, data.byteOffset, data.byteLength)).catch((error) => {
    throw error instanceof Unreadable ? error : DAMAGED;
  });
}

async function measure(zip: Buffer): Promise<string[]> {
  const archive = await fromBufferPromise(zip, { validateEntrySizes: false, decodeStrings: false });
  if (archive.entryCount > ENTRIES_MAX) throw TOO_LARGE;
  const names: string[] = [];
  let unpacked = 0;
  for await (const part of archive.eachEntry()) {
    if (part.isEncrypted()) throw PROTECTED;
    for await (const piece of await archive.openReadStreamPromise(part)) {
      unpacked += piece.length;
      if (unpacked > UNPACKED_MAX) throw TOO_LARGE;
    }
    names.push(part.fileNameRaw.toString());
  }
  return names;
}

/** The text of the parts of a measured archive whose name matches. */
export async function partsOf(data: Uint8Array, name: RegExp): Promise<{ name: string; text: string }[]> {
  const archive = await fromBufferPromise(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    validateEntrySizes: false,
    decodeStrings: false,
  });
  const parts: { name: string; text: string }[] = [];
  for await (const part of archive.eachEntry()) {
    if (!name.test(part.fileNameRaw.toString())) continue;
    const pieces: Buffer[] = [];
    for await (const piece of await archive.openReadStreamPromise(part)) pieces.push(piece);
    parts.push({ name: part.fileNameRaw.toString(), text: Buffer.concat(pieces).toString() });
  }
  return parts;
}
