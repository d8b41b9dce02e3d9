import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** With room to spare: PostgreSQL's log alone may take 1 GB, and each embedded database tens of megabytes. */
const ROOM_BYTES = 6 * 1024 ** 3;

/** Whether programs and their native parts may be run from there: a release is. */
const runsPrograms = () =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .some(([, place, , options]) => place === MEMORY && options?.split(',').includes('noexec') === false);

/**
 * A folder in memory that is removed when this process ends, or undefined where there is none or too little room. A disk may take a millisecond of
 * processor time for each new file, and each database of a test has a thousand.
 */
export function makeMemoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < ROOM_BYTES || !runsPrograms()) return undefined;
    const folder = mkdtempSync(join(MEMORY, 'atelier-checks-'));
    // PostgreSQL and some servers of tests run as other accounts.
    chmodSync(folder, 0o1777);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return undefined;
  }
}
