import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { pdfOf } from '../../testing/documents.ts';
import { eventually } from '../../testing/eventually.ts';
import { readText } from './add-attachment.service.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-lanes-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A page that is a picture. */
const SCAN = readFileSync(new URL('../../testing/documents-of-others/reportlab-scan.pdf', import.meta.url));
const never = new AbortController().signal;
const LONG = 1024 * 1024;

const read = (uid: string, name: string, path: string, size: number, signal = never) =>
  readText({ log: silentLog, uid, signal }, name, {
    path,
    size,
    head: Buffer.from(name.endsWith('.pdf') ? '%PDF-1.4' : 'text'),
  });

/** Has a file read whose bytes come later, by `write`. */
function readLater(uid: string, name: string, size: number, signal = never) {
  const path = join(folder, `${uid}-${name}`);
  execFileSync('mkfifo', [path]);
  const text = read(uid, name, path, size, signal);
  text.catch(() => {});
  return { path, text };
}

/** A file that is complete. */
async function readNow(uid: string, name: string, data: string | Buffer, size = data.length) {
  const path = join(folder, `${uid}-${name}`);
  await writeFile(path, data);
  return wordsOf(await read(uid, name, path, size));
}

/** Writes a file once its reader is there. */
async function write(path: string, data: string | Buffer) {
  const pipe = await eventually(() => open(path, constants.O_WRONLY | constants.O_NONBLOCK));
  await pipe.writeFile(data);
  await pipe.close();
}

async function finish({ path, text }: ReturnType<typeof readLater>, data: string | Buffer) {
  await write(path, data);
  return wordsOf(await text);
}

const wordsOf = ({ text }: { text: string }) => text.split('\n').at(-1);

it('an account that uploads many files takes one place: another is read before the second of them', async () => {
  const mine = [readLater('ada', 'a.txt', LONG), readLater('ada', 'b.txt', LONG)];
  expect(await readNow('bob', 'c.txt', 'of Bob', LONG)).toBe('of Bob');
  expect(await Promise.all(mine.map((one, i) => finish(one, `${i}`)))).toEqual(['0', '1']);
});

it('a note waits for nobody, however many short texts are read', async () => {
  const short = [readLater('ada', 'a.txt', LONG / 8), readLater('bob', 'b.txt', LONG / 8)];
  expect(await readNow('cleo', 'c.txt', 'of Cleo')).toBe('of Cleo');
  expect(await readNow('cleo', 'd.md', '# Kiln\n\nof Cleo too')).toBe('of Cleo too');
  await Promise.all(short.map((one) => finish(one, 'x')));
});

it('a short text waits for no long document, whoever has them read', async () => {
  const long = [readLater('ada', 'a.txt', LONG), readLater('bob', 'b.txt', LONG)];
  expect(await readNow('cleo', 'c.txt', 'of Cleo')).toBe('of Cleo');
  await Promise.all(long.map((one) => finish(one, 'x')));
});

it('no document waits for text recognition', async () => {
  const scans = [readLater('ada', 'a.pdf', LONG), readLater('bob', 'b.pdf', LONG)];
  // Once it is known that a page is a picture, it is read again to be recognized.
  for (const { path } of scans) await write(path, SCAN);
  expect(await readNow('cleo', 'c.txt', 'of Cleo', LONG)).toBe('of Cleo');
  const words = await Promise.all(scans.map((scan) => finish(scan, pdfOf(['What was recognized in it.']))));
  expect(words).toEqual(scans.map(() => 'What was recognized in it.'));
});

it('who gives up leaves the line', async () => {
  const stop = new AbortController();
  const first = readLater('ada', 'a.txt', LONG);
  const second = readLater('ada', 'b.txt', LONG, stop.signal);
  const third = readNow('ada', 'c.txt', 'the third', LONG);
  stop.abort();
  await expect(second.text).rejects.toMatchObject({ code: 'unavailable' });
  await finish(first, 'the first');
  expect(await third).toBe('the third');
});
