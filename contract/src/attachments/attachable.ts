import { FILE_TYPES, refusedName } from '../files.ts';

export const ATTACHMENT_LIMITS = {
  /** Of a file. */
  bytes: 10 * 1024 * 1024,
  /** Of a picture: models refuse more. */
  pictureBytes: 5 * 1024 * 1024,
  /** Width times height: models shrink pictures anyway, and a page has to show them. */
  pixels: 16_000_000,
  side: 8_000,
} as const;

/** The pictures that models take. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

const PICTURE_ENDINGS = ['png', 'jpg', 'jpeg', 'webp', 'gif'];

/** What a file picker offers. */
export const ATTACHABLE = [...new Set([...PICTURE_ENDINGS, ...FILE_TYPES.keys()])]
  .map((extension) => `.${extension}`)
  .join(',');

export const ATTACHMENT_SENTENCES = {
  pro: 'Attachments are only available to Pro users.',
  tooLarge: 'An attachment can have at most 10 MB.',
  pictureTooLarge: 'A picture can have at most 5 MB.',
  tooManyPixels: 'This picture is too large: at most 16 megapixels, and 8,000 pixels on each side.',
  noPicture: 'This is not a picture that can be shown. Use PNG, JPEG, WebP or GIF.',
  cantRead: 'This picture can’t be opened. Use PNG, JPEG, WebP or GIF.',
  missing: 'An attachment is no longer there. Remove it, and attach it again.',
} as const;

/** Whether a file is to be shown to the model, by its name; everything else is read as text. */
export const isPictureName = (name: string): boolean =>
  PICTURE_ENDINGS.includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

/** Why a file of this name can’t be attached, if so. */
export const refusedAttachment = (name: string): string | undefined =>
  isPictureName(name) ? undefined : refusedName(name);
