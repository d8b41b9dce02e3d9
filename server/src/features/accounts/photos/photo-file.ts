/** Where the page finds a stored photo. */
export const ADDRESS = '/api/me/photo/';
export const ENDINGS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;
export const TYPES = new Map<string, string>(Object.entries(ENDINGS).map(([type, ending]) => [ending, type]));
export const FILE = /^[\da-f-]{36}\.(?<ending>png|jpg|webp)$/u;

/** The address of a stored photo; null for a picture that is still at the provider. */
export const photoAddress = (image: string | null) => (image?.startsWith(ADDRESS) ? image : null);

/** The name of a stored photo. */
export const photoFile = (image: string | null) => photoAddress(image)?.slice(ADDRESS.length) ?? null;
/** Beside the person's files, so that their deletion takes the photo along. */
export const storageKey = (uid: string, file: string) => `userFiles/${uid}/photo/${file}`;
