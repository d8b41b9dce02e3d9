import { createHash, createHmac } from 'node:crypto';
import { dirname, join } from 'node:path';
import { damaged, type Open, readArchive, UnusableBackup, writeArchive } from './archive.ts';
import type { BackupFiles } from './backup-files.ts';
import { summed } from './format.ts';
import type { Rows } from './portable.ts';

/** Where the backups of a folder have their files. */
export const filesIn = (folder: string) => join(folder, 'files');
/** Beside a backup, the names of its files: what no other needs is found without its passphrase. */
export const listOf = (backup: string) => `${backup}.files`;

interface FileSum {
  sha256: string;
  size: number;
}

/** Named after the content; with a key, so that a name says nothing of it. */
function pathOf(folder: string, key: string | null, sha256: string): string {
  const name = key === null ? sha256 : createHmac('sha256', key).update(sha256).digest('hex');
  return join(filesIn(folder), name.slice(0, 2), name);
}

export type SharedFiles = Awaited<ReturnType<typeof sharedFiles>>;

/** The uploaded files of all backups in a folder, each once; `key` encrypts each, unless the backups are not encrypted. */
export async function sharedFiles(files: BackupFiles, key: string | null) {
  const needed = new Set<string>();
  const there = new Set(await files.list(filesIn(files.folder), true));
  return {
    key,
    /** Stores a file unless it is there already; false where there is none any more. */
    async keep({ sha256, size }: FileSum, openFile: () => Promise<Rows | undefined>): Promise<boolean> {
      const path = pathOf(files.folder, key, sha256);
      const stored = there.has(path) ? null : await openFile();
      if (stored === undefined) return false;
      needed.add(path.slice(-sha256.length));
      if (stored === null) return true;
      const changed = new Error('A stored file changed while it was backed up. Try again.');
      const entry = { name: sha256, size, content: hashed(stored, sha256, changed) };
      await files.write(path, (sink) => writeArchive([entry], sink, key ?? undefined));
      there.add(path);
      return true;
    },
    /** Writes beside a backup which files it needs. */
    list: (backup: string) => files.put(listOf(backup), [...needed].join('\n')),
  };
}

/** Throws the error at the end of what has another hash. */
async function* hashed(content: Rows | Iterable<Uint8Array>, sha256: string, error: Error): Rows {
  const hash = createHash('sha256');
  yield* summed(content, hash);
  if (hash.digest('hex') !== sha256) throw error;
}

/** The content of a file that a backup shares with others. Throws `UnusableBackup` where it is missing or another one. */
export async function* readShared(backup: string, key: string | null, { sha256, size }: FileSum, open?: Open): Rows {
  const path = pathOf(dirname(backup), key, sha256);
  const wrong = damaged(
    `its file ${path} is missing, or is damaged; then delete it, and the next backup writes it again`,
  );
  try {
    for await (const entry of readArchive(path, key ?? undefined, open)) {
      if (entry.name !== sha256 || entry.size !== size) throw wrong;
      yield* hashed(entry.content, sha256, wrong);
    }
  } catch (error) {
    throw error instanceof UnusableBackup ? wrong : error;
  }
}
