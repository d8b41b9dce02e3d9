import { collect } from './collect.ts';
import { orientationOnly } from './orientation.ts';

const START = Buffer.of(0xff, 0xd8);
const END = 0xd9;
const SCAN = 0xda;
const EXIF = 'Exif\0\0';
/** Segments for programs that a picture needs to look right, by their marker and how they begin: its density, its colours. */
const NEEDED: readonly (readonly [number, string])[] = [
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
];

const isForPrograms = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
const begins = (content: Buffer, words: string) => content.toString('latin1', 0, words.length) === words;
const isNeeded = (marker: number, content: Buffer) =>
  NEEDED.some(([of, words]) => of === marker && begins(content, words));
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** A JPEG (ITU T.81, B.1) without notes, previews and what was appended; null when its segments can't be followed. */
export function stripJpeg(bytes: Buffer): Buffer | null {
  const { add, all } = collect(bytes);
  add(START);
  for (let at = nextMarker(bytes, START.length); at !== null; ) {
    const marker = bytes[at + 1] ?? END;
    const end = endOf(bytes, at, marker);
    if (end === null) return null;
    const content = bytes.subarray(at + 4, end);
    if (!isForPrograms(marker) || isNeeded(marker, content)) add(bytes.subarray(at, end));
    else if (begins(content, EXIF)) add(...turned(content.subarray(EXIF.length)));
    at = marker === END ? null : nextMarker(bytes, end);
  }
  return all();
}

/** A marker may be preceded by any number of bytes that fill up; null behind the last one. */
function nextMarker(bytes: Buffer, from: number): number | null {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && bytes[at + 1] === 0xff) at += 1;
  return at < 0 || at + 1 >= bytes.length ? null : at;
}

function turned(tiff: Buffer): Buffer[] {
  const turn = orientationOnly(tiff);
  if (turn === null) return [];
  const exif = Buffer.concat([Buffer.from(EXIF, 'latin1'), turn]);
  return [Buffer.of(0xff, 0xe1, 0, exif.length + 2), exif];
}

/** Where the segment ends: a scan with the pixels that follow it. */
function endOf(bytes: Buffer, at: number, marker: number): number | null {
  if (isAlone(marker) || marker === END) return at + 2;
  if (at + 4 > bytes.length) return null;
  const end = at + 2 + bytes.readUInt16BE(at + 2);
  if (end < at + 4 || end > bytes.length) return null;
  return marker === SCAN ? endOfPixels(bytes, end) : end;
}

/** Among pixels, 0xff stands for itself before a zero, and restarts count. */
function endOfPixels(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== 0 && next !== 0xff && !isAlone(next ?? 0x01)) return at;
  }
  return bytes.length;
}
