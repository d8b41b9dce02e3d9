import { createHash, type Hash, hash } from 'node:crypto';

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
