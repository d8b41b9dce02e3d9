import { PHOTO_LIMITS } from '@atelier/contract/accounts';

/** The middle of a picture as a square photo, small enough to be stored. Throws when the browser can't read the file as a picture. */
export async function squarePhoto(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const { side } = PHOTO_LIMITS;
  const cut = Math.min(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const [left, top] = [(picture.width - cut) / 2, (picture.height - cut) / 2];
  canvas.getContext('2d')?.drawImage(picture, left, top, cut, cut, 0, 0, side, side);
  picture.close();
  // A browser that can't write WebP writes PNG.
  const photo = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', 0.9));
  if (photo === null) throw new Error('the browser could not write the photo');
  return photo;
}
