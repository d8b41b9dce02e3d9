import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this process may create its own disk. */
export const canMakeDisk = () => process.platform === 'linux' && process.getuid?.() === 0;

/** A small in-memory disk that can be filled to its last byte and freed again. */
export function makeDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-disk-'));
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`The disk could not be made: ${made.stderr}`);
  chmodSync(folder, 0o777);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize));
      } catch {
        // Meanwhile the server took the rest, which is just as full.
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
