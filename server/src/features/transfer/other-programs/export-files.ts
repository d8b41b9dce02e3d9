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

/** The longest conversation, in characters of its JSON: it is read whole. */
const ELEMENT_CHARS = 32 * 1024 * 1024;
/** How deep a value may be: an export of LibreChat nests each message in the one before it. */
const DEPTH = 100_000;

const codeOf = (character: string) => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map(codeOf);
const OPENING = new Set(['[', '{'].map(codeOf));
const CLOSING = new Set([']', '}'].map(codeOf));
const SPACE = new Set([' ', '\n', '\r', '\t', '\uFEFF'].map(codeOf));

/**
 * The elements of a JSON array as texts, one after another, or the one object that a text is. `null` stands for an element that is too long
 * or too deep. A text that is neither has none. Throws `BadZip` where it can't be read, or ends before it is whole.
 */
export async function* elementsOf(part: ZipPart): AsyncGenerator<string | null> {
  const stream = (await part.open()).setEncoding('utf8');
  const splitter = new Splitter();
  try {
    for await (const piece of stream as AsyncIterable<string>) {
      yield* splitter.add(piece);
      if (splitter.isOther) return;
    }
  } catch (cause) {
    throw new BadZip('damaged', cause);
  } finally {
    stream.destroy();
  }
  if (!splitter.isWhole) throw new BadZip('damaged');
}

/** Knows just enough of JSON to find where each element ends. */
class Splitter {
  /** The text is no array and no object. */
  isOther = false;
  #isArray = false;
  #hasBegun = false;
  #depth = 0;
  #inText = false;
  #escaped = false;
  #element = '';
  #isTooLarge = false;

  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  *add(piece: string): Generator<string | null> {
    let from = this.#begin(piece);
    if (this.isOther || !this.#hasBegun) return;
    const base = this.#isArray ? 1 : 0;
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (code === BACKSLASH) this.#escaped = true;
        else if (code === QUOTE) this.#inText = false;
      } else if (code === QUOTE) this.#inText = true;
      else if (OPENING.has(code)) {
        this.#depth += 1;
        if (this.#depth > DEPTH) this.#isTooLarge = true;
      } else if (CLOSING.has(code) || (code === COMMA && this.#depth === base)) {
        const ends = code === COMMA || this.#depth <= 1;
        if (code !== COMMA) this.#depth -= 1;
        if (!ends) continue;
        // The bracket that ends an array is no part of its last element; the one that ends an object is.
        this.#take(piece.slice(from, code === COMMA || this.#isArray ? at : at + 1));
        from = at + 1;
        yield* this.#finish();
        if (this.#depth === 0) return;
      }
    }
    this.#take(piece.slice(from));
  }

  /** Where in this piece the first element may begin. */
  #begin(piece: string): number {
    if (this.#hasBegun) return this.#depth === 0 ? piece.length : 0;
    let at = 0;
    while (SPACE.has(piece.charCodeAt(at))) at += 1;
    const first = piece[at];
    if (first === undefined) return at;
    this.#hasBegun = true;
    this.#isArray = first === '[';
    this.isOther = first !== '[' && first !== '{';
    if (!this.#isArray) return at;
    this.#depth = 1;
    return at + 1;
  }

  #take(text: string): void {
    this.#isTooLarge ||= this.#element.length + text.length > ELEMENT_CHARS;
    this.#element = this.#isTooLarge ? '' : this.#element + text;
  }

  *#finish(): Generator<string | null> {
    if (this.#isTooLarge) yield null;
    else if (this.#element.trim() !== '') yield this.#element;
    this.#element = '';
    this.#isTooLarge = false;
  }
}
