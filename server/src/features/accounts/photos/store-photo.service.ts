import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PHOTO_LIMITS } from '@atelier/contract/accounts';
import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { Picture } from '../../../platform/pictures/read-picture.ts';
import { user } from '../accounts.table.ts';
import { ADDRESS, ENDINGS, photoFile, storageKey } from './photo-file.ts';

/** Deletes the bytes of a photo that is no longer anybody's. */
export const PHOTO_ERASE_QUEUE = 'accounts.erase-photo';

type Photo = Picture & { type: keyof typeof ENDINGS };

/** Whether a picture is of a kind that a photo may be. */
export const isType = (picture: Picture): picture is Photo => picture.type in ENDINGS;

/** Whether a picture is small enough for a photo. */
export const isSmall = ({ width, height }: Picture) => Math.max(width, height) <= PHOTO_LIMITS.pixels;

interface NewPhoto {
  picture: Photo;
  /** The picture that it stands for; if the person has another one meanwhile, that one stays. */
  replaces: string | 'any';
}

/** Stores a checked picture as somebody’s photo and returns the address of the one that they have now. */
export async function storePhoto(ctx: Deps, uid: string, { picture, replaces }: NewPhoto): Promise<string> {
  const file = `${randomUUID()}.${ENDINGS[picture.type]}`;
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
  const folder = join(ctx.config.DATA_DIR, 'files', '.incoming');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  try {
    await writeFile(path, bytes, { mode: 0o600 });
    await ctx.storage.put(key, path, bytes.length);
  } finally {
    await rm(path, { force: true });
  }
}

/** The address of somebody’s photo, locked until the transaction ends. */
export async function lockImage(tx: Tx, uid: string): Promise<string | null | undefined> {
  const [row] = await tx.select({ image: user.image }).from(user).where(eq(user.id, uid)).for('update');
  return row?.image;
}

/** Sets or removes somebody’s photo; the bytes of the one before are deleted later. */
export async function changeImage(ctx: Deps, tx: Tx, uid: string, to: { before: string | null; image: string | null }) {
  await tx.update(user).set({ image: to.image, updatedAt: sql`now()` }).where(eq(user.id, uid));
  await ctx.live.notify(tx, uid, 'account', uid);
  const old = photoFile(to.before);
  if (old !== null) await eraseLater(ctx, tx, uid, old);
}

const eraseLater = (ctx: Pick<Deps, 'jobs'>, tx: Tx, userId: string, file: string) =>
  ctx.jobs.send(tx, PHOTO_ERASE_QUEUE, { userId, file });
