import { collect } from './collect.ts';
import { orientationOnly } from './orientation.ts';

const HEAD = 12;
const FRAME = 8;
/** A WebP's pixels, transparency, frames and colours. */
const NEEDED = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const HAS_XMP = 0x04;
const HAS_EXIF = 0x08;

/** A WebP (RFC 9649, 2.7) without notes and what was appended; null when its chunks can't be followed. */
export function stripWebp(bytes: Buffer): Buffer | null {
  const { add, all } = collect(bytes);
  add(bytes.subarray(0, HEAD));
  let flagsAt: number | null = null;
  let exif: Buffer | null = null;
  const end = Math.min(bytes.readUInt32LE(4) + 8, bytes.length);
  for (let at = HEAD; at + FRAME <= end; ) {
    const next = at + FRAME + bytes.readUInt32LE(at + 4);
    if (next > end) return null;
    const type = bytes.toString('latin1', at, at + 4);
    const content = bytes.subarray(at + FRAME, next);
    if (type === 'VP8X') flagsAt = all().length + FRAME;
    if (NEEDED.has(type)) add(...chunk(type, content));
    else if (type === 'EXIF') exif ??= orientationOnly(withoutPrefix(content));
    at = next + (content.length % 2);
  }
  // Without the chunk of flags there is no place for a note.
  if (flagsAt !== null && exif !== null) add(...chunk('EXIF', exif));
  const picture = all();
  picture.writeUInt32LE(picture.length - FRAME, 4);
  if (flagsAt !== null) {
    const flags = (picture[flagsAt] ?? 0) & ~HAS_XMP & ~HAS_EXIF;
    picture[flagsAt] = exif === null ? flags : flags | HAS_EXIF;
  }
  return picture;
}

/** Some programs write the words that begin Exif in a JPEG. */
const withoutPrefix = (content: Buffer) =>
  content.toString('latin1', 0, 4) === 'Exif' ? content.subarray(6) : content;

function chunk(type: string, content: Buffer): Buffer[] {
  const head = Buffer.alloc(FRAME);
  head.write(type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return [head, content, Buffer.alloc(content.length % 2)];
}
