import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';

/** A picture of one colour, as a program of others writes it. */
export function pictureOf(type: 'png' | 'jpeg' | 'webp', width = 64, height = 48, colour = '#a03c1e'): Buffer {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = colour;
  pen.fillRect(0, 0, width, height);
  return type === 'png' ? canvas.toBuffer('image/png') : canvas.toBuffer(`image/${type}`);
}

/**
 * A picture of ImageMagick or cwebp in which ExifTool has noted a place, an artist and “Elm Street 7”; the JPEG has a second one behind its
 * end.
 */
export const notedPicture = (name: 'photo.jpg' | 'shot.png' | 'photo.webp' | 'film.gif'): Buffer =>
  readFileSync(join(import.meta.dirname, 'noted-pictures', name));

/** The smallest GIF. */
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** The head of a PNG that claims to be so large. */
export function hugePng(width: number, height: number): Buffer {
  const png = pictureOf('png');
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}
