import { stripGif } from './gif-blocks.ts';
import { stripJpeg } from './jpeg-segments.ts';
import { stripPng } from './png-chunks.ts';
import { stripWebp } from './webp-chunks.ts';

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
