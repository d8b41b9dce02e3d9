/** As PGlite is built. */
const PAGE_BYTES = 8192;
/** Of a page's beginning, which says up to where the log must be on the disk before it. */
const POSITION_BYTES = 8;

/**
 * Whether these are pages of a table that the log tells nothing of, as it is of new ones and of maps of free space
 * (https://www.postgresql.org/docs/17/storage-page-layout.html). Other pages may know more than their position says: that an older row's
 * transaction has ended is noted on them without the log.
 */
export function areUnlogged(pages: Uint8Array): boolean {
  if (pages.length % PAGE_BYTES !== 0) return false;
  for (let at = 0; at < pages.length; at += PAGE_BYTES)
    if (pages.subarray(at, at + POSITION_BYTES).some((byte) => byte !== 0)) return false;
  return true;
}
