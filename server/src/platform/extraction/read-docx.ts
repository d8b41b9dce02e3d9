import { inflateRawSync } from 'node:zlib';
import mammoth from 'mammoth';
import type { Document } from './passages.ts';
import { readHtml } from './read-html.ts';
import { Unreadable } from './unreadable.ts';

/** What all parts of a document may take when unpacked. */
export const UNPACKED_MAX = 30 * 1024 * 1024;
const ENTRIES_MAX = 2_000;
const TOO_LARGE = new Unreadable('This document is too large when unpacked (more than 30 MB).');
const DAMAGED = new Unreadable('This document is damaged and can’t be read.');

/** A Word document, a section a heading. What it unpacks to is measured before anything reads it. */
export async function readDocx(data: Uint8Array): Promise<Document> {
  const names = measure(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  if (!names.includes('word/document.xml')) {
    throw new Unreadable('The content of this file does not match its name: it is not a Word document.');
  }
  const { value } = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(data) },
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    )
    .catch(() => {
      throw DAMAGED;
    });
  return readHtml(new TextEncoder().encode(`<html><body>${value}</body></html>`));
}

/**
 * Unpacks every part with a bound and throws it away, whatever sizes the archive declares; throws Unreadable beyond the bound.
 * Answers the parts' names.
 */
export function measure(zip: Buffer): string[] {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end < 0 || end + 22 > zip.length) throw DAMAGED;
  const count = zip.readUInt16LE(end + 10);
  if (count > ENTRIES_MAX) throw TOO_LARGE;
  let at = zip.readUInt32LE(end + 16);
  let left = UNPACKED_MAX;
  const names: string[] = [];
  try {
    for (let entry = 0; entry < count; entry += 1) {
      if (zip.readUInt32LE(at) !== 0x02014b50) throw DAMAGED;
      const lengths = {
        name: zip.readUInt16LE(at + 28),
        extra: zip.readUInt16LE(at + 30),
        comment: zip.readUInt16LE(at + 32),
      };
      names.push(zip.toString('utf8', at + 46, at + 46 + lengths.name));
      left -= unpackedSize(zip, at, left);
      at += 46 + lengths.name + lengths.extra + lengths.comment;
    }
  } catch (error) {
    if (error instanceof RangeError || (error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR'))
      throw DAMAGED;
    throw error;
  }
  return names;
}

function unpackedSize(zip: Buffer, at: number, left: number): number {
  if ((zip.readUInt16LE(at + 8) & 1) === 1) throw new Unreadable('This document is protected by a password.');
  if (zip.readUInt32LE(at + 24) > left) throw TOO_LARGE;
  const method = zip.readUInt16LE(at + 10);
  const size = zip.readUInt32LE(at + 20);
  const local = zip.readUInt32LE(at + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  if (method === 0) return size;
  if (method !== 8) throw DAMAGED;
  try {
    return inflateRawSync(zip.subarray(start, start + size), { maxOutputLength: Math.max(1, left) }).length;
  } catch (error) {
    if (error instanceof RangeError) throw TOO_LARGE;
    throw DAMAGED;
  }
}
