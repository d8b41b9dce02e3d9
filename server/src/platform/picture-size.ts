/** A picture as its own first bytes describe it; sides in pixels. */
export interface PictureSize {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The kind and size of a picture by its bytes, not its name; null for anything but a PNG, JPEG or WebP with a size. */
export function readPictureSize(bytes: Buffer): PictureSize | null {
  const size = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

function readPng(bytes: Buffer): PictureSize | null {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(PNG) || ascii(bytes, 12) !== 'IHDR') return null;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The segments until the one that begins a frame, which has the size. */
function readJpeg(bytes: Buffer): PictureSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // C4, C8 and CC in this range are tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    // A marker may be preceded by any number of fill bytes; some markers have no content.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
}

function readWebp(bytes: Buffer): PictureSize | null {
  if (bytes.length < 30 || ascii(bytes, 0) !== 'RIFF' || ascii(bytes, 8) !== 'WEBP') return null;
  const of = (width: number, height: number): PictureSize => ({ type: 'image/webp', width, height });
  const kind = ascii(bytes, 12);
  if (kind === 'VP8X') return of(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (kind === 'VP8 ') return of(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (kind !== 'VP8L' || bytes[20] !== 0x2f) return null;
  const bits = bytes.readUInt32LE(21);
  return of((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

const ascii = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4);
