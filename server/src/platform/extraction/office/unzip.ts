import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { watchNesting } from '../nesting.ts';
import { Unreadable } from '../unreadable.ts';

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
 * parts' names. Throws Unreadable when it is damaged, protected or too large, or when a part is nested too deeply.
 */
export async function measureZip(data: Uint8Array): Promise<string[]> {
  const names: string[] = [];
  let unpacked = 0;
  try {
    const archive = await openArchive(data);
    if (archive.entryCount > ENTRIES_MAX) throw TOO_LARGE;
    for await (const part of archive.eachEntry()) {
      if (part.isEncrypted()) throw PROTECTED;
      const name = part.fileNameRaw.toString();
      const watch = watchPart(name);
      for await (const piece of await archive.openReadStreamPromise(part)) {
        unpacked += piece.length;
        if (unpacked > UNPACKED_MAX) throw TOO_LARGE;
        watch(piece);
      }
      names.push(name);
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : DAMAGED;
  }
  return names;
}

const openArchive = (data: Uint8Array) =>
  fromBufferPromise(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    validateEntrySizes: false,
    decodeStrings: false,
  });

/** Watches the nesting of a part that is markup; others, such as pictures, may contain anything. */
function watchPart(name: string): (piece: Buffer) => void {
  const watch = watchNesting(/html?$/i.test(name) ? 'html' : 'xml');
  let isMarkup: boolean | undefined;
  return (piece) => {
    if (isMarkup === false) return;
    // Tags are ASCII in every encoding that the readers know.
    const text = piece.toString('latin1');
    isMarkup ??= firstOf(text)?.startsWith('<');
    if (isMarkup) watch(text);
  };
}

/** What a text begins with after its byte order mark and blanks; undefined as long as there is nothing else. */
const firstOf = (text: string) => text.replace(/^\u00ef\u00bb\u00bf/, '').trimStart()[0];

/** The text of the parts of a measured archive whose name is wanted. */
export async function partsOf(
  data: Uint8Array,
  isWanted: (name: string) => boolean,
): Promise<{ name: string; text: string }[]> {
  const archive = await openArchive(data);
  const parts: { name: string; text: string }[] = [];
  for await (const part of archive.eachEntry()) {
    const name = part.fileNameRaw.toString();
    if (!isWanted(name)) continue;
    parts.push({ name, text: (await buffer(await archive.openReadStreamPromise(part))).toString() });
  }
  return parts;
}
