import { crc32 } from 'node:zlib';
import { collect } from './collect.ts';
import { stripJpeg } from './jpeg-segments.ts';
import { orientationOnly } from './orientation.ts';
import { stripWebp } from './webp-chunks.ts';

const SIGNATURE = 8;
const FRAME = 12;
/** Chunks that a picture may lack, but that change how it looks: colours, transparency, density, the frames of an animation. */
const NEEDED = new Set('tRNS gAMA cHRM sRGB iCCP sBIT cICP mDCV cLLI bKGD pHYs hIST sPLT acTL fcTL fdAT'.split(' '));

/** A PNG (W3C PNG, 5.3) without notes and what was appended; null when its chunks can't be followed. */
function stripPng(bytes: Buffer): Buffer | null {
  const { add, all } = collect(bytes);
  add(bytes.subarray(0, SIGNATURE));
  for (let at = SIGNATURE; at < bytes.length; ) {
    if (at + FRAME > bytes.length) return null;
    const end = at + FRAME + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (NEEDED.has(type) || isCritical(type)) add(bytes.subarray(at, end));
    else if (type === 'eXIf') add(...turned(bytes.subarray(at + 8, end - 4)));
    if (type === 'IEND') return all();
    at = end;
  }
  return null;
}

/** The first letter of a chunk without which there is no picture is a capital. */
const isCritical = (type: string) => /^[A-Z]/u.test(type);

function turned(tiff: Buffer): Buffer[] {
  const content = orientationOnly(tiff);
  if (content === null) return [];
  const named = Buffer.concat([Buffer.from('eXIf', 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length);
  ends.writeUInt32BE(crc32(named), 4);
  return [ends.subarray(0, 4), named, ends.subarray(4)];
}

const SCREEN = 13;
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const END = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Applications whose block repeats an animation. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/** A GIF (GIF89a, appendix A) without notes and what was appended; null when its blocks can't be followed. */
function stripGif(bytes: Buffer): Buffer | null {
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

const STRIP = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
};

/** The pictures that models take. */
export type PictureType = keyof typeof STRIP;

/**
 * The picture without what a camera or program noted in it: the place, the time, the device, names, smaller previews, films behind its end.
 * What stays is listed, so notes of a kind unknown here go too. No pixel changes, and how it is to be turned stays. Null when the picture is
 * damaged.
 */
export const stripMetadata = (type: PictureType, bytes: Buffer): Buffer | null => STRIP[type](bytes);
