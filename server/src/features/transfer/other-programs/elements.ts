import { BadZip, type ZipPart } from '../../../platform/zip/zip-file.ts';

/** The longest conversation, in characters of its JSON: it is read whole. */
const ELEMENT_CHARS = 32 * 1024 * 1024;
/** How deep a value may be: an export of LibreChat nests each message in the one before it. */
const DEPTH = 100_000;

const codeOf = (character: string) => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map(codeOf);
const OPENING = new Set(['[', '{'].map(codeOf));
const CLOSING = new Set([']', '}'].map(codeOf));
const BLANK = new Set([' ', '\n', '\r', '\t', '\uFEFF'].map(codeOf));

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
    while (BLANK.has(piece.charCodeAt(at))) at += 1;
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
