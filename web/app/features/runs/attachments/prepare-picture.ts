import { FILE_LIMITS, FILE_SENTENCES, isPictureName, PICTURE_TYPES } from '@atelier/contract/files';
import { ApiError } from '../../../lib/http.ts';

/** Models shrink larger pictures anyway. */
const SIDE_MAX = 2_048;
/** A picture of more bytes than this is written again, smaller. */
const BYTES_MAX = 3 * 1024 * 1024;
const QUALITY = 0.9;

/** A refusal of our own, with a sentence for the person. */
export const notAttachable = (sentence: string): ApiError => new ApiError(0, 'invalid_input', sentence);

/** Whether a file is to be shown to the model, not read as text. */
export const isPictureFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  type.startsWith('image/') || isPictureName(name);

/** How large a picture is to be, in pixels. */
export function fittingSize({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * The picture as it is sent: small enough for models, and in a format that they take. A photograph is always written again: upright, and
 * without the place where it was taken. Throws `ApiError` when the browser can't open it.
 */
export async function preparePicture(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw notAttachable(FILE_SENTENCES.cantOpen);
  });
  try {
    const size = fittingSize(bitmap);
    const fits = size.width === bitmap.width && size.height === bitmap.height && file.size <= BYTES_MAX;
    if (fits && PICTURE_TYPES.includes(file.type) && file.type !== 'image/jpeg') return file;
    return await drawn(bitmap, size, file);
  } finally {
    bitmap.close();
  }
}

async function drawn(bitmap: ImageBitmap, { width, height }: { width: number; height: number }, file: File) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d');
  if (!pen) throw notAttachable(FILE_SENTENCES.cantOpen);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(bitmap, 0, 0, width, height);
  const png = file.type === 'image/jpeg' ? null : await written(canvas, 'image/png');
  if (png && png.size <= BYTES_MAX) return named(png, file.name, 'png');
  // A photograph has no transparency; elsewhere it becomes white.
  pen.globalCompositeOperation = 'destination-over';
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, width, height);
  const jpeg = await written(canvas, 'image/jpeg');
  if (!jpeg || jpeg.size > FILE_LIMITS.pictureBytes) throw notAttachable(FILE_SENTENCES.pictureTooLarge);
  return named(jpeg, file.name, 'jpg');
}

const written = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));

/** The picture under its own name, with the ending of what it is now. */
function named(blob: Blob, name: string, ending: string): File {
  const dot = name.lastIndexOf('.');
  return new File([blob], `${dot > 0 ? name.slice(0, dot) : name || 'picture'}.${ending}`, { type: blob.type });
}
