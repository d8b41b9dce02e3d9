import { PHOTO_LIMITS } from '@atelier/contract/accounts';
import { eq } from 'drizzle-orm';
import type { Caller } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { readPicture } from '../../../platform/pictures/read-picture.ts';
import { openStored } from '../../../platform/storage/storage.ts';
import { user } from '../accounts.table.ts';
import { FILE, photoFile, storageKey, TYPES } from './photo-file.ts';
import { changeImage, isSmall, isType, lockImage, storePhoto } from './store-photo.service.ts';

/** Sets a person's photo and returns its address. Throws 400 for anything but a PNG, JPEG or WebP of at most 1,024 pixels a side. */
export async function setPhoto(ctx: Deps, caller: Pick<Caller, 'uid'>, bytes: Buffer): Promise<string> {
  const picture = await readPicture(bytes);
  if (picture === null || !isType(picture)) {
    throw new AppError('invalid_input', 'This is not a picture. A photo is a PNG, JPEG or WebP file.', {
      field: 'photo',
    });
  }
  if (!isSmall(picture)) {
    const sentence = `A photo can have at most ${PHOTO_LIMITS.pixels} pixels a side.`;
    throw new AppError('invalid_input', sentence, { field: 'photo' });
  }
  return storePhoto(ctx, caller.uid, { picture, replaces: 'any' });
}

/** Removes a person's photo; does nothing without one. */
export async function removePhoto(ctx: Deps, { uid }: Pick<Caller, 'uid'>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const before = await lockImage(tx, uid);
    if (before) await changeImage(ctx, tx, uid, { before, image: null });
  });
}

/** The photo's bytes with their type. Throws 404 for any other than the person's present one. */
export async function openPhoto(ctx: Deps, { uid }: Pick<Caller, 'uid'>, file: string) {
  const stored = await findStoredPhoto(ctx, uid);
  const type = TYPES.get(FILE.exec(file)?.groups?.ending ?? '');
  if (type === undefined || stored?.file !== file) throw notFound('This photo');
  return { type, stream: await openStored(ctx.storage, stored.key, 'This photo') };
}

/** Where a person's photo is stored, and its name; null without one. */
export async function findStoredPhoto(ctx: Pick<Deps, 'db'>, uid: string) {
  const [row] = await ctx.db.select({ image: user.image }).from(user).where(eq(user.id, uid));
  const file = photoFile(row?.image ?? null);
  return file === null ? null : { file, key: storageKey(uid, file) };
}

/** Deletes the bytes of a photo that was replaced. */
export const erasePhoto = (ctx: Pick<Deps, 'storage'>, { userId, file }: { userId: string; file: string }) =>
  ctx.storage.delete(storageKey(userId, file));
