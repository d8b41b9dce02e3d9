import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

/** A file of an archive while it grows: rows as JSON, one a line. */
export interface RowsFile {
  add(row: object): Promise<void>;
  /** Its content; nothing can be added any more. */
  end(): Promise<AsyncIterable<Uint8Array>>;
  remove(): Promise<void>;
}

/** Rows on disk, because an export may hold more of them than memory does. */
export function openRowsFile(path: string): RowsFile {
  const stream: WriteStream = createWriteStream(path, { mode: 0o600 });
  // A full disk fails the next write, or the end.
  stream.on('error', () => {});
  let separator = '[\n';
  const write = async (text: string) => {
    if (stream.errored) throw stream.errored;
    if (!stream.write(text)) await once(stream, 'drain');
  };
  return {
    async add(row) {
      await write(separator + JSON.stringify(row));
      separator = ',\n';
    },
    async end() {
      await write(separator === '[\n' ? '[]\n' : '\n]\n');
      stream.end();
      await finished(stream);
      return createReadStream(path);
    },
    async remove() {
      stream.destroy();
      await rm(path, { force: true });
    },
  };
}
