import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, it } from 'vitest';
import { GIF, notedPicture as noted, pictureOf } from '../../../testing/pictures.ts';
import { readPicture } from '../read-picture.ts';
import { readOrientation } from './orientation.ts';
import { stripMetadata } from './strip-metadata.ts';

const NOTES = ['Elm Street', 'Ada Lovelace', 'GPS', 'XMP', 'http:'];
const said = (bytes: Buffer) => NOTES.filter((note) => bytes.includes(note));

async function pixels(bytes: Buffer) {
  const image = await loadImage(bytes);
  const pen = createCanvas(image.width, image.height).getContext('2d');
  pen.drawImage(image, 0, 0);
  return [...pen.getImageData(0, 0, image.width, image.height).data];
}

it.each(['photo.jpg', 'shot.png', 'photo.webp', 'film.gif'] as const)(
  '%s loses its notes and keeps every pixel',
  async (name) => {
    const picture = noted(name);
    expect(said(picture)).toContain('Elm Street');
    const read = await readPicture(picture);
    if (read === null) throw new Error(`${name} is no picture`);
    expect(said(read.bare)).toEqual([]);
    expect(read.bare.length).toBeLessThan(picture.length);
    expect(await pixels(read.bare)).toEqual(await pixels(picture));
    expect((await readPicture(read.bare))?.bare.equals(read.bare), 'a second time nothing changes').toBe(true);
  },
);

it.each(['photo.jpg', 'shot.png', 'photo.webp'] as const)('%s is still turned as it was', async (name) => {
  const bare = (await readPicture(noted(name)))?.bare ?? Buffer.alloc(0);
  const tiff = bare.indexOf('MM\0*');
  expect(readOrientation(bare.subarray(tiff))).toBe(6);
  // Nothing but that is left of the camera's notes.
  expect(bare.readUInt16BE(tiff + 8)).toBe(1);
});

it('a film goes on without its comment, and its second picture', async () => {
  const bare = (await readPicture(noted('film.gif')))?.bare ?? Buffer.alloc(0);
  expect(bare.includes('NETSCAPE2.0')).toBe(true);
  expect(bare.filter((byte) => byte === 0x2c).length).toBeGreaterThanOrEqual(2);
});

it.each([
  ['image/jpeg', pictureOf('jpeg')],
  ['image/png', pictureOf('png')],
  ['image/webp', pictureOf('webp')],
  ['image/gif', GIF],
] as const)('a cut %s is refused or shortened, never read beyond its end', (type, picture) => {
  for (let length = 12; length < picture.length; length += 1) {
    const bare = stripMetadata(type, picture.subarray(0, length));
    expect(bare === null || bare.length <= length + 1).toBe(true);
  }
});

it('an orientation that points outside, or turns no way that there is, is none', () => {
  const tiff = (first: number, turn: number) => {
    const bytes = Buffer.from('II*\0\0\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
    bytes.writeUInt32LE(first, 4);
    bytes.writeUInt16LE(turn, 18);
    return bytes;
  };
  const turns = [tiff(8, 6), tiff(8, 1), tiff(8, 9), tiff(4_000_000_000, 6), Buffer.from('II'), tiff(24, 6)];
  expect(turns.map(readOrientation)).toEqual([6, null, null, null, null, null]);
});
