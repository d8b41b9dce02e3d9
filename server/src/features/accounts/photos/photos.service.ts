import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { PHOTO_LIMITS } from '@atelier/contract/accounts';
import { and, eq, sql } from 'drizzle-orm';
import type { Caller } from '../../../access.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { createGuardedFetch, fetchSmall } from '../../../platform/fetch/guarded-fetch.ts';
import { readBlocks } from '../../../platform/fetch/public-address.ts';
import { type Picture, readPicture } from '../../../platform/pictures/read-picture.ts';
import { newIncoming, openStored } from '../../../platform/storage/storage.ts';
import { user } from '../accounts.table.ts';

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

/** Deletes the bytes of a photo that was replaced, or never became anybody's. */
export async function erasePhoto(
  ctx: Pick<Deps, 'db' | 'storage'>,
  { userId, file }: { userId: string; file: string },
) {
  if ((await findStoredPhoto(ctx, userId))?.file !== file) await ctx.storage.delete(storageKey(userId, file));
}

/** Where the page finds a stored photo. */
const ADDRESS = '/api/me/photo/';
const ENDINGS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;
const TYPES = new Map<string, string>(Object.entries(ENDINGS).map(([type, ending]) => [ending, type]));
const FILE = /^[\da-f-]{36}\.(?<ending>png|jpg|webp)$/u;

/** The address of a stored photo; null for a picture that is still at the provider. */
export const photoAddress = (image: string | null) => (image?.startsWith(ADDRESS) ? image : null);

const photoFile = (image: string | null) => photoAddress(image)?.slice(ADDRESS.length) ?? null;
/** Beside the person's files, so that their deletion takes the photo along. */
const storageKey = (uid: string, file: string) => `userFiles/${uid}/photo/${file}`;

/** Deletes the bytes of a photo that is no longer anybody's. */
export const PHOTO_ERASE_QUEUE = 'accounts.erase-photo';
/** By then a photo is its person's, or never will be. */
const STORED_SECONDS = 60 * 60;

type Photo = Picture & { type: keyof typeof ENDINGS };

/** Whether a picture is of a kind that a photo may be. */
const isType = (picture: Picture): picture is Photo => picture.type in ENDINGS;

const isSmall = ({ width, height }: Picture) => Math.max(width, height) <= PHOTO_LIMITS.pixels;

interface NewPhoto {
  picture: Photo;
  /** The picture that it stands for; if the person has another one meanwhile, that one stays. */
  replaces: string | 'any';
}

/** Stores a checked picture as somebody’s photo and returns the address of the one that they have now. */
async function storePhoto(ctx: Deps, uid: string, { picture, replaces }: NewPhoto): Promise<string> {
  const file = `${randomUUID()}.${ENDINGS[picture.type]}`;
  // Before the bytes: should this process end now, nothing else knows of them.
  await ctx.db.transaction((tx) => eraseLater(ctx, tx, uid, file, STORED_SECONDS));
  await putBytes(ctx, storageKey(uid, file), picture.bare);
  return ctx.db.transaction(async (tx) => {
    const before = await lockImage(tx, uid);
    const isWanted = before !== undefined && (replaces === 'any' || before === replaces);
    if (!isWanted) {
      await eraseLater(ctx, tx, uid, file);
      return before ?? '';
    }
    await changeImage(ctx, tx, uid, { before, image: `${ADDRESS}${file}` });
    return `${ADDRESS}${file}`;
  });
}

/** The storage takes files. */
async function putBytes(ctx: Deps, key: string, bytes: Buffer): Promise<void> {
  const path = await newIncoming(ctx.config);
  try {
    await writeFile(path, bytes, { mode: 0o600 });
    await ctx.storage.move(key, path, bytes.length);
  } finally {
    await rm(path, { force: true });
  }
}

/** The address of somebody’s photo, locked until the transaction ends. */
async function lockImage(tx: Tx, uid: string): Promise<string | null | undefined> {
  const [row] = await tx.select({ image: user.image }).from(user).where(eq(user.id, uid)).for('update');
  return row?.image;
}

/** Sets or removes somebody’s photo; the bytes of the one before are deleted later. */
async function changeImage(ctx: Deps, tx: Tx, uid: string, to: { before: string | null; image: string | null }) {
  await tx.update(user).set({ image: to.image, updatedAt: sql`now()` }).where(eq(user.id, uid));
  await ctx.live.notify(tx, uid, 'account', uid);
  const old = photoFile(to.before);
  if (old !== null) await eraseLater(ctx, tx, uid, old);
}

const eraseLater = (ctx: Pick<Deps, 'jobs'>, tx: Tx, userId: string, file: string, startAfterSeconds = 0) =>
  ctx.jobs.send(tx, PHOTO_ERASE_QUEUE, { userId, file }, { startAfterSeconds });

/** Fetches the picture that somebody has at the provider with whose account they signed up. */
export const PICTURE_QUEUE = 'accounts.picture';

/** Makes the picture at the provider the person's photo, if it is one that they could have uploaded. Throws when it can't be reached. */
export async function fetchPicture(ctx: Deps, userId: string): Promise<void> {
  const [row] = await ctx.db.select({ image: user.image }).from(user).where(eq(user.id, userId));
  const url = row?.image;
  if (!url || photoAddress(url) !== null) return;
  const guarded = createGuardedFetch({ allowed: readBlocks(ctx.config.FETCH_ALLOWED) });
  try {
    const bytes = await fetchSmall(guarded, url, PHOTO_LIMITS.bytes);
    const picture = bytes && (await readPicture(bytes));
    if (picture && isType(picture) && isSmall(picture)) await storePhoto(ctx, userId, { picture, replaces: url });
    else
      await ctx.db
        .update(user)
        .set({ image: null })
        .where(and(eq(user.id, userId), eq(user.image, url)));
  } finally {
    await guarded.close();
  }
}
