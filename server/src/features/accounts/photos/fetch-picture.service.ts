import { PHOTO_LIMITS } from '@atelier/contract/accounts';
import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { fetchSmall } from '../../../platform/fetch/fetch-small.ts';
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import { readBlocks } from '../../../platform/fetch/public-address.ts';
import { readPicture } from '../../../platform/pictures/read-picture.ts';
import { user } from '../accounts.table.ts';
import { photoAddress } from './photo-file.ts';
import { isSmall, isType, storePhoto } from './store-photo.service.ts';

/** Fetches the picture that somebody has at the provider with whose account they signed up. */
export const PICTURE_QUEUE = 'accounts.picture';

/** Has the picture fetched that a new account brings along, as part of the transaction that opens it. */
export async function queuePicture(ctx: Pick<Deps, 'jobs'>, tx: Tx, userId: string): Promise<void> {
  await ctx.jobs.send(tx, PICTURE_QUEUE, { userId });
}

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
