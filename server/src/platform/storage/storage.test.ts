import { readlinkSync } from 'node:fs';
import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { startOwnBucket } from '../../testing/own-bucket.ts';
import { createStorage } from './storage.ts';

const { folder } = temporaryFolder('storage');
const bucket = await closing(startOwnBucket(folder));
const storages = {
  folder: createStorage(readConfig({ DATA_DIR: folder })),
  s3: createStorage(readConfig(bucket.env)),
};

describe.each(['folder', 's3'] as const)('in a %s', (kind) => {
  const key = 'userFiles/u1/1_notes.txt';
  const put = async (at: string, content: string | Buffer) => {
    const path = join(folder, 'source');
    await writeFile(path, content);
    await storages[kind].put(at, path, Buffer.byteLength(content));
  };

  it('gives back what was put', async () => {
    const storage = storages[kind];
    expect(storage.kind).toBe(kind);
    await put(key, 'Hello, wörld');
    expect(await storage.has(key)).toBe(true);
    expect(await text(await storage.get(key))).toBe('Hello, wörld');
    const listed = [];
    for await (const file of storage.list('userFiles/u1')) listed.push(file);
    expect(listed).toEqual([{ key, size: 13 }]);
    await put(key, 'again');
    expect(await text(await storage.get(key))).toBe('again');
  });

  it('takes a file that nobody needs afterwards, over an older one', async () => {
    await put(key, 'the older one');
    const path = join(folder, 'received');
    await writeFile(path, 'moved');
    await storages[kind].move(key, path, 5);
    expect(await text(await storages[kind].get(key))).toBe('moved');
    await expect(storages[kind].move(key, join(folder, 'nothing'), 1)).rejects.toThrow('ENOENT');
    expect(await text(await storages[kind].get(key))).toBe('moved');
  });

  it('takes 10 MB', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024, 'abcdefg');
    await put('userFiles/u1/2_large.txt', large);
    expect((await text(await storages[kind].get('userFiles/u1/2_large.txt'))).length).toBe(large.length);
  });

  it('deletes one, and everything of a folder and nothing beside it', async () => {
    const storage = storages[kind];
    await put('userFiles/u2/1_a.txt', 'a');
    await put('userFiles/u2/2_b.txt', 'b');
    await put('userFiles/u22/1_c.txt', 'c');
    await storage.delete('userFiles/u2/1_a.txt');
    await storage.delete('userFiles/u2/1_a.txt');
    expect(await storage.has('userFiles/u2/1_a.txt')).toBe(false);
    await storage.deleteFolder('userFiles/u2');
    expect([await storage.has('userFiles/u2/2_b.txt'), await storage.has('userFiles/u22/1_c.txt')]).toEqual([
      false,
      true,
    ]);
  });

  it('reads a small file whole, and nothing where none is', async () => {
    for (const content of ['', 'Hello, wörld', 'a'.repeat(100_000)]) {
      await put(key, content);
      expect((await storages[kind].read(key))?.toString()).toBe(content);
    }
    expect(await storages[kind].read('userFiles/u1/nothing.txt')).toBeUndefined();
  });

  it('throws for what is not there', async () => {
    await expect(storages[kind].get('userFiles/u1/nothing.txt')).rejects.toThrow();
  });
});

it('says so where a folder can’t be emptied or a file read, because its bucket is away', async () => {
  const away = createStorage(
    readConfig({
      S3_BUCKET: 'atelier',
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_ACCESS_KEY_ID: 'x',
      S3_SECRET_ACCESS_KEY: 'x',
    }),
  );
  await expect(away.deleteFolder('userFiles/u1')).rejects.toThrow();
  await expect(away.read('userFiles/u1/1_a.txt')).rejects.toThrow();
  await expect(storages.folder.deleteFolder('userFiles/nobody')).resolves.toBeUndefined();
});

it('keeps files in the data folder under their keys', async () => {
  await writeFile(join(folder, 'source'), 'x');
  await storages.folder.put('userFiles/u3/1_x.txt', join(folder, 'source'), 1);
  expect(await readFile(join(folder, 'files/userFiles/u3/1_x.txt'), 'utf8')).toBe('x');
});

it.runIf(process.platform === 'linux')(
  'flushes a file before it has its name, and then that and new folders',
  async () => {
    const path = join(folder, 'received');
    await writeFile(path, 'x');
    const handle = await open(path);
    const flushed: string[] = [];
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async function (this: FileHandle) {
      flushed.push(relative(folder, readlinkSync(`/proc/self/fd/${this.fd}`)));
    });
    await handle.close();
    try {
      await storages.folder.move('userFiles/u4/1_x.txt', path, 1);
      await writeFile(path, 'y');
      await storages.folder.move('userFiles/u4/2_y.txt', path, 1);
    } finally {
      sync.mockRestore();
    }
    expect(flushed).toEqual(['received', 'files/userFiles/u4', 'files/userFiles', 'received', 'files/userFiles/u4']);
  },
);
