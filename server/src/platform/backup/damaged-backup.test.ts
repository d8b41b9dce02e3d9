import { hash } from 'node:crypto';
import { createWriteStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import * as tar from 'tar-stream';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { countAccounts } from '../../features/operator/backup.service.ts';
import { openEmbeddedTestDatabase } from '../../testing/database.ts';
import { effort } from '../../testing/effort.ts';
import { temporaryFolder } from '../../testing/lifetimes.ts';
import { createStorage } from '../storage/storage.ts';
import { readArchive, UnusableBackup, writeArchive } from './archive.ts';
import type { Header, Manifest } from './format.ts';
import { embeddedPlace } from './places.ts';
import { portablePglite } from './portable.ts';
import { readBackup } from './read-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

/** An empty place. */
function place() {
  const root = fresh('place');
  return { ...embeddedPlace(root, createStorage(readConfig({ DATA_DIR: root }))), root };
}

const { fresh } = temporaryFolder('backup-test');
const { pglite } = await openEmbeddedTestDatabase();
await pglite.exec(`insert into "user" (id, name, email) select n, 'Ada', n || '@example.com' from generate_series(1, 40) n;
    insert into rate_limit select n, md5(n::text), 0, 0 from generate_series(1, 200) n`);
const storage = createStorage(readConfig({ DATA_DIR: fresh('source') }));
for (const name of ['a.txt', 'b.txt', 'c.txt']) {
  const source = fresh('file');
  const text = name === 'c.txt' ? '' : hash('sha512', name).repeat(8);
  writeFileSync(source, text);
  await storage.put(`userFiles/1/${name}`, source, text.length);
}
/** Of some rows and files. */
const whole = fresh('whole');
await writeBackup({ database: portablePglite(pglite), storage, secrets: [], sealed: {} }, whole);
await pglite.close();

/** The entries of a backup that is not encrypted, to be changed and put together again with a right hash. */
async function entriesIn(file: string) {
  const entries: { name: string; bytes: Buffer }[] = [];
  for await (const { name, content } of readArchive(file))
    entries.push({ name, bytes: await buffer(content as never) });
  return entries;
}

async function forge(change: (entries: { name: string; bytes: Buffer }[]) => void): Promise<string> {
  const entries = await entriesIn(whole);
  change(entries);
  const file = fresh('forged');
  const all = async function* () {
    for (const { name, bytes } of entries) yield { name, size: bytes.length, content: [bytes] };
  };
  await writeArchive(all(), createWriteStream(file));
  return file;
}

/** Numbers that look random and are the same each time. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('a backup that is damaged in any way is refused, and nothing of it is written', async () => {
  const bytes = readFileSync(whole);
  const roll = dice(34);
  const kinds = [
    () => {
      const copy = Buffer.from(bytes);
      const at = roll(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << roll(8));
      return copy;
    },
    () => bytes.subarray(0, roll(bytes.length)),
    () => {
      const size = 1 + roll(2000);
      const [from, to] = [roll(bytes.length - 2 * size), roll(bytes.length - 2 * size)];
      const copy = Buffer.from(bytes);
      bytes.copy(copy, to, from, from + size);
      bytes.copy(copy, from, to, to + size);
      return copy.equals(bytes) ? copy.subarray(1) : copy;
    },
    () => Buffer.concat([bytes, Buffer.alloc(1 + roll(600))]),
    async () =>
      readFileSync(
        await forge((entries) => {
          const filled = entries.filter((entry) => entry.bytes.length > 0);
          const entry = filled[roll(filled.length)] ?? entries[0];
          const at = roll(entry?.bytes.length ?? 0);
          if (entry !== undefined) entry.bytes[at] = (entry.bytes[at] ?? 0) ^ (1 << roll(8));
        }),
      ),
    async () =>
      readFileSync(
        await forge((entries) => {
          const [a, b] = [roll(entries.length - 1), entries.length - 1 - roll(2)];
          if (roll(2) === 0 || a === b) entries.splice(a, 1);
          else [entries[a], entries[b]] = [entries[b] as never, entries[a] as never];
        }),
      ),
  ];
  const accepted: number[] = [];
  for (let at = 0; at < effort(42, 500); at += 1) {
    const file = fresh('damaged');
    writeFileSync(file, (await kinds[at % kinds.length]?.()) ?? '');
    const refused = await readBackup(file).then(
      () => false,
      (error: unknown) => error instanceof UnusableBackup,
    );
    if (!refused) accepted.push(at);
    if (at >= kinds.length) continue;
    const to = place();
    await expect(restoreBackup(file, to, countAccounts)).rejects.toThrow(UnusableBackup);
    expect(readdirSync(to.root).filter((name) => !name.startsWith('lock'))).toEqual([]);
  }
  expect(accepted).toEqual([]);
});

const change = <T>(entries: { name: string; bytes: Buffer }[], name: string, to: (value: T) => unknown) => {
  const entry = entries.find((one) => one.name === name);
  if (entry !== undefined) entry.bytes = Buffer.from(JSON.stringify(to(JSON.parse(entry.bytes.toString()))));
};

test('a backup whose lists lie is refused', async () => {
  const lies: [string, (value: never) => unknown, string][] = [
    [
      'atelier-backup.json',
      (header: Header) => ({ ...header, migration: { hash: 'f'.repeat(64), at: 1 } }),
      'made by a newer version',
    ],
    ['atelier-backup.json', (header: Header) => ({ ...header, tables: [] }), 'comes where'],
    [
      'atelier-backup.json',
      (header: Header) => ({ ...header, madeAt: '2020-01-01T00:00:00.000Z' }),
      'its list and its content differ',
    ],
    [
      'jobs.json',
      () => [{ queue: 'x', data: {}, retryLimit: 0, startAfterSeconds: 0 }],
      'its list and its content differ',
    ],
    [
      'manifest.json',
      (all: Manifest) => ({ ...all, tables: all.tables.map((table) => ({ ...table, rows: 9 })) }),
      'its list and its content differ',
    ],
    ['manifest.json', (all: Manifest) => ({ ...all, more: 1 }), 'is not as this program writes it'],
    ['hashes/0.json', (all: object[]) => all.slice(1), 'a file is not the one that was backed up'],
  ];
  for (const [name, to, why] of lies) {
    await expect(readBackup(await forge((entries) => change(entries, name, to))), why).rejects.toThrow(why);
  }
});

test('a file that climbs out of its folder, or is none, is refused', async () => {
  for (const key of [
    'userFiles/../../secret',
    '../secret',
    '/etc/passwd',
    'userFiles/a\\..\\b',
    'userFiles/./x',
    'other/x',
  ]) {
    const file = await forge((entries) => {
      for (const entry of entries) if (entry.name.startsWith('files/')) entry.name = `files/${key}`;
    });
    await expect(readBackup(file), key).rejects.toThrow('is no name of a stored file');
  }
  const file = fresh('link');
  const pack = tar.pack();
  pack.entry({ name: 'atelier-backup.json', type: 'symlink', linkname: '/etc/passwd' });
  pack.finalize();
  const hashed = zstdCompressSync(await buffer(pack));
  writeFileSync(
    file,
    Buffer.concat([hashed, Buffer.from('502a4d1820000000', 'hex'), hash('sha256', hashed, 'buffer')]),
  );
  await expect(readBackup(file)).rejects.toThrow('is not a file');
});

test('what unpacks to more than there is room for is refused before it is unpacked', async () => {
  const small = { ...place(), limits: async () => ({ tables: 2000, files: 2000 }) };
  await expect(restoreBackup(whole, small, countAccounts)).rejects.toThrow('unpacks to more than there is room for');
});
