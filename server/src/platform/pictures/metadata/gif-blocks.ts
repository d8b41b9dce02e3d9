import { collect } from './collect.ts';

const SCREEN = 13;
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const END = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Applications whose block repeats an animation. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/** A GIF (GIF89a, appendix A) without notes and what was appended; null when its blocks can't be followed. */
export function stripGif(bytes: Buffer): Buffer | null {
  let at = SCREEN + tableAfter(bytes[10]);
  const { add, all } = collect(bytes);
  add(bytes.subarray(0, at));
  while (at < bytes.length && bytes[at] !== END) {
    const end = endOf(bytes, at);
    if (end === null) return null;
    if (bytes[at] === IMAGE || isNeeded(bytes, at)) add(bytes.subarray(at, end));
    at = end;
  }
  add(Buffer.of(END));
  return all();
}

/** The bytes of a table of colours, by the field that says how large it is. */
const tableAfter = (packed = 0) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1));

const isNeeded = (bytes: Buffer, at: number) =>
  bytes[at + 1] === CONTROL ||
  (bytes[at + 1] === APPLICATION && LOOPS.includes(bytes.toString('latin1', at + 3, at + 14)));

function endOf(bytes: Buffer, at: number): number | null {
  if (bytes[at] === EXTENSION) return endOfPieces(bytes, at + 2);
  if (bytes[at] !== IMAGE) return null;
  return endOfPieces(bytes, at + 11 + tableAfter(bytes[at + 9]));
}

/** Behind a row of pieces, each with its length before it and an empty one last. */
function endOfPieces(bytes: Buffer, from: number): number | null {
  for (let at = from; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    at += length + 1;
    if (length === 0) return at;
  }
  return null;
}
