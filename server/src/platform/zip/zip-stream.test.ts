import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type ZipEntry, zipStream } from './zip-stream.ts';

const text = (length: number) => Buffer.from('Where the kiln stands. '.repeat(length));
async function* entries(): AsyncGenerator<ZipEntry> {
  yield { path: 'empty.txt', content: Buffer.alloc(0) };
  yield { path: 'pieces.txt', content: Readable.from([text(1), text(20_000), Buffer.alloc(0), text(3)]) };
  yield { path: 'files/名前.bin', content: crypto.getRandomValues(new Uint8Array(60_000)) };
}

async function whole(files = entries()): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipStream(files)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('every file comes out as it went in', async () => {
  const files = unzipSync(await whole());
  expect(Object.keys(files)).toEqual(['empty.txt', 'pieces.txt', 'files/名前.bin']);
  expect(Buffer.from(files['pieces.txt'] ?? []).equals(text(20_004))).toBe(true);
  expect([files['empty.txt']?.length, files['files/名前.bin']?.length]).toEqual([0, 60_000]);
});

test.runIf(existsSync('/usr/bin/python3'))('another program finds every size and checksum right', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-zip-'));
  const file = join(folder, 'a.zip');
  writeFileSync(file, await whole());
  const said = execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-t', file], { encoding: 'utf8' });
  expect(said).toContain('Done testing');
  rmSync(folder, { recursive: true });
});

test('a file that can’t be read breaks the archive off', async () => {
  async function* broken(): AsyncGenerator<ZipEntry> {
    yield {
      path: 'a.txt',
      content: (async function* () {
        yield text(1);
        throw new Error('the disk is gone');
      })(),
    };
  }
  await expect(whole(broken())).rejects.toThrow('the disk is gone');
});
