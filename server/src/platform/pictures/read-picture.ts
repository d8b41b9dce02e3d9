import { loadOnce } from '../retry.ts';
import { type PictureType, stripMetadata } from './metadata/strip-metadata.ts';

/** How each kind of picture begins. */
const BEGINNINGS: readonly (readonly [PictureType, string, readonly number[]])[] = [
  ['image/png', 'png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 'jpg', [0xff, 0xd8, 0xff]],
  ['image/gif', 'gif', [...Buffer.from('GIF8')]],
  ['image/webp', 'webp', [...Buffer.from('RIFF')]],
];

/** What the bytes of a picture say about it; sides in pixels. */
export interface Picture {
  type: PictureType;
  width: number;
  height: number;
  /** The picture without what a camera or program noted in it, for example the place. This is what is stored and sent. */
  bare: Buffer;
}

/** Most processes never measure one. Nothing else is read: fewer readers of what strangers send. */
async function loadSizes() {
  const { disableTypes, imageSize, types } = await import('image-size');
  const formats: readonly string[] = BEGINNINGS.map(([, format]) => format);
  disableTypes(types.filter((type) => !formats.includes(type)));
  return imageSize;
}
const sizes = loadOnce(loadSizes);

const beginningOf = (bytes: Uint8Array) =>
  BEGINNINGS.find(([, , begins]) => begins.every((byte, at) => bytes[at] === byte));

/** What kind of picture the bytes begin like; null for other kinds. */
export const pictureType = (bytes: Uint8Array): PictureType | null => beginningOf(bytes)?.[0] ?? null;

/** A picture by its bytes, not its name; null for anything that models don't take, or that is damaged. */
export async function readPicture(bytes: Uint8Array): Promise<Picture | null> {
  const header = beginningOf(bytes);
  if (header === undefined) return null;
  const [type, format] = header;
  const sizeOf = await sizes();
  try {
    const { width, height, type: kind } = sizeOf(bytes);
    const isSound = kind === format && width > 0 && height > 0 && isWhole(type, bytes);
    const bare = isSound ? stripMetadata(type, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) : null;
    return bare && { type, width, height, bare };
  } catch {
    return null;
  }
}

/** How far from its end a picture's last mark is looked for: some programs write notes of their own behind it. */
const TAIL = 64 * 1024;

/** Whether the picture was not cut off, for example by a download that broke off. */
function isWhole(type: PictureType, bytes: Uint8Array): boolean {
  const tail = Buffer.from(bytes.subarray(-TAIL));
  switch (type) {
    case 'image/png':
      return tail.includes('IEND');
    case 'image/jpeg':
      return tail.includes(Buffer.of(0xff, 0xd9));
    case 'image/gif':
      return tail.includes(0x3b);
    case 'image/webp':
      return Buffer.from(bytes.subarray(4, 8)).readUInt32LE() + 8 <= bytes.length;
  }
}

/** A model sees at most about this much of a picture, and counts so many pixels as a token; providers shrink larger ones. */
const PIXELS_A_TOKEN = 750;
const TOKENS_MAX = 1_600;
const TOKENS_MIN = 85;

/** About how many tokens a picture takes. */
export const pictureTokens = ({ width, height }: Pick<Picture, 'width' | 'height'>): number =>
  Math.min(TOKENS_MAX, Math.max(TOKENS_MIN, Math.ceil((width * height) / PIXELS_A_TOKEN)));
