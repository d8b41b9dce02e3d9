import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from './database/folder/data-folder.ts';
import { chooseFolder, makePrivateFolder, requireWritableFolder } from './private-folder.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'atelier-private-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (...parts: string[]) => statSync(join(parent, ...parts)).mode & 0o777;

test('a new data folder is its owner’s alone, with the folders above it that were missing', () => {
  expect(makePrivateFolder(join(parent, 'a', 'data'))).toEqual([]);
  expect([modeOf('a'), modeOf('a', 'data')]).toEqual([0o700, 0o700]);
});

test('an open one from an earlier version is closed, and opens again for the server', () => {
  const root = join(parent, 'data');
  const made = openDataFolder(root);
  made.beginCreation();
  writeFileSync(join(made.db, 'PG_VERSION'), '18');
  made.finishCreation();
  made.release();
  writeFileSync(join(root, 'sandbox-payments.json'), '[]');
  for (const folder of ['', 'files', 'backups']) chmodSync(join(root, folder), 0o755);
  for (const file of ['secret', 'lock', 'format']) chmodSync(join(root, file), 0o644);
  expect(makePrivateFolder(root)).toEqual([]);
  expect(['', 'files', 'backups'].map((folder) => modeOf('data', folder))).toEqual([0o700, 0o700, 0o700]);
  expect(['secret', 'lock', 'format', 'sandbox-payments.json'].map((file) => modeOf('data', file))).toEqual(
    Array(4).fill(0o600),
  );
  openDataFolder(root).release();
});

test('what others put beside it is left as it is', () => {
  const root = join(parent, 'data');
  mkdirSync(join(root, 'shared'), { recursive: true });
  chmodSync(join(root, 'shared'), 0o755);
  makePrivateFolder(root);
  expect(modeOf('data', 'shared')).toBe(0o755);
});

test.runIf(process.platform === 'linux')(
  'where permissions can’t be changed it goes on, and names what is open',
  () => {
    // Nobody can change the mode of a folder of the kernel's own, not even root.
    const open = makePrivateFolder('/proc/sys');
    expect(open).toEqual(['/proc/sys']);
  },
);

test('a folder that can’t be written ends in one sentence with the reason', () => {
  writeFileSync(join(parent, 'file'), '');
  const refusal = (path: string) => () => requireWritableFolder(join(parent, path));
  expect(refusal('file/data')).toThrow(
    /^The data folder .*file\/data can’t be written: a part of the path is a file\. .*$/,
  );
  expect(refusal('file')).toThrow(/^The data folder .*file can’t be written: a file has its name\. .*$/);
});

test('where database and files are elsewhere, one that can’t be written is not needed', () => {
  const elsewhere = { DATABASE_URL: 'postgres://db/atelier', S3_BUCKET: 'files' };
  const missing = join(parent, 'missing');
  const chosen = chooseFolder({ DATA_DIR: missing, ...elsewhere });
  expect([existsSync(chosen), existsSync(missing), chosen === missing]).toEqual([true, false, false]);
  rmSync(chosen, { recursive: true });
  expect(chooseFolder({ DATA_DIR: parent, ...elsewhere })).toBe(parent);
  expect(chooseFolder({ DATA_DIR: missing, DATABASE_URL: elsewhere.DATABASE_URL, S3_BUCKET: undefined })).toBe(missing);
  expect(chooseFolder({ DATA_DIR: missing, DATABASE_URL: undefined, S3_BUCKET: elsewhere.S3_BUCKET })).toBe(missing);
});
