/** Sizes of PostgreSQL's pages and of a segment of its log, as PGlite is built. */
const [PAGE_BYTES, SEGMENT_BYTES] = [8192, 16 * 1024 * 1024];
const SEGMENT = /^[0-9A-F]{24}$/u;

/** Names of the log's segments: the timeline, then the position of their beginning in two parts. */
export const isSegment = (name: string): boolean => SEGMENT.test(name);

/** The position in the log at which the page begins that ends at `end` of this segment; 0 for another file. That page may be written again. */
export function lastPage(name: string, end: number): number {
  if (!isSegment(name)) return 0;
  const [high, low] = [name.slice(8, 16), name.slice(16)].map((part) => Number.parseInt(part, 16)) as [number, number];
  return high * 2 ** 32 + low * SEGMENT_BYTES + end - PAGE_BYTES;
}

/**
 * The position up to which the log must be on the disk before these pages of a table. Each page begins with it; a new one has none
 * (https://www.postgresql.org/docs/17/storage-page-layout.html). Infinite for anything else than whole pages.
 */
export function neededOf(pages: Uint8Array): number {
  if (pages.length % PAGE_BYTES !== 0) return Number.POSITIVE_INFINITY;
  const view = new DataView(pages.buffer, pages.byteOffset, pages.length);
  let needed = 0;
  for (let at = 0; at < pages.length; at += PAGE_BYTES)
    needed = Math.max(needed, view.getUint32(at, true) * 2 ** 32 + view.getUint32(at + 4, true));
  return needed;
}
