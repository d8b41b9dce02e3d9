/** The one note of a camera that changes how a picture looks: how it is to be turned (Exif 2.32, 4.6.4). */
const TAG = 0x0112;
const SHORT = 3;
const HEADER = 8;
const ENTRY = 12;
const UPRIGHT = 1;
const MOST = 8;

/** Of Exif data (a TIFF file without pixels) only how they turn their picture; null when it stands upright or they can't be read. */
export function orientationOnly(tiff: Buffer): Buffer | null {
  const turn = readOrientation(tiff);
  return turn === null ? null : exifOf(turn);
}

/** From 2 to 8. */
export function readOrientation(tiff: Buffer): number | null {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < HEADER || (order !== 'II' && order !== 'MM')) return null;
  const u16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return null;
  const end = Math.min(first + 2 + u16(first) * ENTRY, tiff.length - ENTRY + 1);
  for (let at = first + 2; at < end; at += ENTRY) {
    if (u16(at) !== TAG || u16(at + 2) !== SHORT) continue;
    const turn = u16(at + 8);
    return turn > UPRIGHT && turn <= MOST ? turn : null;
  }
  return null;
}

function exifOf(turn: number): Buffer {
  const tiff = Buffer.alloc(HEADER + 2 + ENTRY + 4);
  tiff.write('MM', 'latin1');
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(HEADER, 4);
  tiff.writeUInt16BE(1, HEADER);
  tiff.writeUInt16BE(TAG, HEADER + 2);
  tiff.writeUInt16BE(SHORT, HEADER + 4);
  tiff.writeUInt32BE(1, HEADER + 6);
  tiff.writeUInt16BE(turn, HEADER + 10);
  return tiff;
}
