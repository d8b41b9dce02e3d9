import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeOpenAI } from '../../server/src/testing/fake-openai.ts';
import { startOwnPostgres } from '../../server/src/testing/own-postgres.ts';
import { startServer } from './server.ts';
import { Writer } from './writer.ts';

export type Kind = 'embedded' | 'postgres';
/** With how long the database is away, and how often a process is killed. */
export type Scene = Awaited<ReturnType<typeof openScene>> & { awayMs: number; kills: number };

const DISK_MB = 400;

/** Whether this process may create its own disk. */
export const canMakeDisk = () => process.platform === 'linux' && process.getuid?.() === 0;

/** A small in-memory disk that can be filled to its last byte and freed again. */
function makeDisk(megabytes: number) {
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

/** A server on a database and a provider that may break, perhaps on a disk of its own, and people who write. */
export async function openScene(kind: Kind, hasDisk = false) {
  const disk = hasDisk ? makeDisk(DISK_MB) : undefined;
  const parent = disk?.folder ?? tmpdir();
  const folder = mkdtempSync(join(parent, 'atelier-faults-'));
  const postgres = kind === 'postgres' ? await startOwnPostgres(parent) : undefined;
  const provider = await startFakeOpenAI({ deltas: 10, delayMs: 20 });
  const server = await startServer({
    DATA_DIR: folder,
    OPENAI_BASE_URL: provider.url,
    MODEL_TIMEOUT_MS: '2000',
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url }),
  });
  const close = async () => {
    await server.end('SIGKILL');
    await provider.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
    disk?.remove();
  };
  const start = () => Writer.start(server);
  const writers = await Promise.all([start(), start(), start(), start()]).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { kind, server, writers, provider, postgres, disk, folder, close };
}
