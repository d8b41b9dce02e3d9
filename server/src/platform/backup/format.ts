import { createHash, type Hash, hash } from 'node:crypto';
import { z } from 'zod';

/** The entries of a backup, in this order: the header, tables, jobs, files with their hashes, the manifest. */
export const HEADER = 'atelier-backup.json';
export const JOBS = 'jobs.json';
export const MANIFEST = 'manifest.json';
export const tableEntry = (table: string, at: number) => `tables/${table}/${at}`;
export const fileEntry = (key: string) => `files/${key}`;
export const hashesEntry = (at: number) => `hashes/${at}.json`;
/** How many files are hashed until their hashes are written. */
export const FILES_AT_ONCE = 500;
/** A table's rows are written in pieces of this many bytes. */
export const PIECE_BYTES = 1024 * 1024;

const count = z.int().min(0);
const sha256 = z.string().length(64);
const word = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/u);

/** What is known before the rest is read. */
export const headerShape = z.strictObject({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The last migration of the database. */
  migration: z.strictObject({ hash: sha256, at: z.int() }),
  tables: z.array(z.strictObject({ name: word, columns: z.array(word) })),
  /** Those of the installation; an unencrypted backup has none, and null says so. */
  secrets: z.array(z.string()).nullable(),
  /** Uploaded files are not in the archive but beside it, shared with other backups; encrypted with this key, if there is one. */
  shared: z.strictObject({ key: z.string().nullable() }).optional(),
});
export type Header = z.infer<typeof headerShape>;

export const fileHashes = z.array(z.strictObject({ key: z.string(), size: count, sha256 }));

/** Comes last, when all of it is known. */
export const manifestShape = z.strictObject({
  header: sha256,
  tables: z.array(z.strictObject({ name: word, rows: count, sha256, rowsHash: sha256 })),
  jobs: sha256,
  files: z.strictObject({ count, bytes: count, sha256 }),
});
export type Manifest = z.infer<typeof manifestShape>;
export const emptyManifest = (): Manifest => ({
  header: '',
  tables: [],
  jobs: '',
  files: { count: 0, bytes: 0, sha256: '' },
});

/** A job that must still be done: periodic ones come by themselves. */
export const jobRows = z.array(
  z.strictObject({
    queue: z.string(),
    data: z.record(z.string(), z.unknown()),
    retryLimit: count,
    startAfterSeconds: z.number(),
    singletonKey: z.string().optional(),
  }),
);

const KEY_PARTS = /^[\w!. -]{1,255}$/u;

/** Whether a stored file may have this key: below `userFiles`, with no way out of it. */
export function isKey(key: string): boolean {
  const [top, ...parts] = key.split('/');
  const isPart = (part: string) => KEY_PARTS.test(part) && !/^\.+$/u.test(part) && part.trim() === part;
  return top === 'userFiles' && parts.length > 0 && key.length <= 1000 && parts.every(isPart);
}

/** The same content, summed up while it is read. */
export async function* summed(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sum: { update(chunk: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    sum.update(chunk);
    yield chunk;
  }
}

const WORDS = 8;
const NEWLINE = 0x0a;

/** What a table contains: the hash of its bytes, and one of its rows that doesn't depend on their order. */
export interface TableSum {
  rows: number;
  sha256: string;
  /** The sum of the rows' hashes: another database has the same rows in another order. */
  rowsHash: string;
}

/** Sums up a table from its rows as COPY writes them, each ended by a newline, in pieces of any size. */
export function sumRows() {
  const whole = createHash('sha256');
  const sums = new Uint32Array(WORDS);
  let begun: Hash | undefined;
  let rows = 0;

  const add = (digest: Buffer) => {
    rows += 1;
    for (let word = 0; word < WORDS; word += 1) sums[word] = (sums[word] ?? 0) + digest.readUInt32LE(word * 4);
  };
  return {
    update(piece: Uint8Array): void {
      whole.update(piece);
      let from = 0;
      for (;;) {
        const end = piece.indexOf(NEWLINE, from);
        const part = piece.subarray(from, end < 0 ? undefined : end);
        if (end < 0) {
          if (part.length > 0) (begun ??= createHash('sha256')).update(part);
          return;
        }
        add(begun === undefined ? hash('sha256', part, 'buffer') : begun.update(part).digest());
        begun = undefined;
        from = end + 1;
      }
    },
    /** Rows that don't end count as one more, which no table has. */
    digest: (): TableSum => ({
      rows: begun === undefined ? rows : rows + 0.5,
      sha256: whole.digest('hex'),
      rowsHash: Buffer.from(sums.buffer).toString('hex'),
    }),
  };
}
