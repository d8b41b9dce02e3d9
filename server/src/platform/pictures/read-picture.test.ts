import { expect, it } from 'vitest';
import { GIF, hugePng, pictureOf } from '../../testing/pictures.ts';
import { pictureTokens, readPicture } from './read-picture.ts';

it.each([
  ['image/png', pictureOf('png', 300, 200), 300, 200],
  ['image/jpeg', pictureOf('jpeg', 300, 200), 300, 200],
  ['image/webp', pictureOf('webp', 300, 200), 300, 200],
  ['image/gif', GIF, 1, 1],
  ['image/png', hugePng(30_000, 30_000), 30_000, 30_000],
])('a picture of %s says its size', async (type, bytes, width, height) => {
  expect(await readPicture(bytes)).toMatchObject({ type, width, height });
});

it.each([
  ['a page', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['nothing', Buffer.alloc(0)],
  ['a bitmap', Buffer.from('BM\0\0\0\0')],
  ['a sound', Buffer.from('RIFF\x24\0\0\0WAVEfmt ')],
  ['half of a PNG', pictureOf('png', 300, 200).subarray(0, 60)],
  ['half of a JPEG', pictureOf('jpeg', 300, 200).subarray(0, 700)],
  ['half of a WebP', pictureOf('webp', 300, 200).subarray(0, 40)],
])('%s is no picture', async (_, bytes) => {
  expect(await readPicture(bytes)).toBeNull();
});

it('takes tokens by its size, within bounds', () => {
  expect([1, 600, 5_000].map((side) => pictureTokens({ width: side, height: side }))).toEqual([85, 480, 1_600]);
});
