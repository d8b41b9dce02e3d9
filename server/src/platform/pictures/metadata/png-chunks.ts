import { crc32 } from 'node:zlib';
import { collect } from './collect.ts';
import { orientationOnly, readOrientation } from './orientation.ts';

const SIGNATURE = 8;
const FRAME = 12;
/** Chunks that a picture may lack, but that change how it looks: colours, transparency, density, the frames of an animation. */
const NEEDED = new Set('tRNS gAMA cHRM sRGB iCCP sBIT cICP mDCV cLLI bKGD pHYs hIST sPLT acTL fcTL fdAT'.split(' '));

/** A PNG (W3C PNG, 5.3) without notes and what was appended; null when its chunks can't be followed. */
export function stripPng(bytes: Buffer): Buffer | null {
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
  const turn = readOrientation(tiff);
  if (turn === null) return [];
  const content = orientationOnly(turn);
  const named = Buffer.concat([Buffer.from('eXIf', 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length);
  ends.writeUInt32BE(crc32(named), 4);
  return [ends.subarray(0, 4), named, ends.subarray(4)];
}
