import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataFolder, EMBEDDED, openDataFolder } from './data-folder.ts';

let root: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'atelier-folder-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

const MODULE = fileURLToPath(new URL('./data-folder.ts', import.meta.url));

/** Another process that takes the folder and keeps it; resolves to `held`, or to why it was refused. */
function holder(): Promise<{ child: ChildProcess; said: string }> {
  const program = `
    import { openDataFolder } from ${JSON.stringify(MODULE)};
    try { openDataFolder(${JSON.stringify(root)}); console.log('held'); setInterval(() => {}, 1000); }
    catch (error) { console.log(error.message); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((done) =>
    child.stdout?.once('data', (chunk: Buffer) => done({ child, said: String(chunk).trim() })),
  );
}

const gone = (child: ChildProcess) => new Promise((done) => child.once('exit', done));

test('the same process is refused too, and closing its try does not loosen the lock', async () => {
  const held = openDataFolder(root);
  expect(() => openDataFolder(root)).toThrow('is in use by');
  expect((await holder()).said).toContain('is in use by');
  held.release();
  expect((await holder()).said).toBe('held');
});

test('a holder that was killed blocks nobody, even where its process number is alive again', async () => {
  const { child } = await holder();
  child.kill('SIGKILL');
  await gone(child);
  writeFileSync(join(root, 'lock.owner'), `process ${process.ppid} on somewhere\n`);
  expect((await holder()).said).toBe('held');
});

test('a folder of another PostgreSQL major is refused with the way back, and left as it was', () => {
  makeDatabase(17);
  writeFileSync(join(root, 'format'), JSON.stringify({ postgresMajor: 17, pglite: '0.3.1' }));
  expect(() => openDataFolder(root)).toThrow(
    /written by PostgreSQL 17 \(PGlite 0\.3\.1\); this version reads PostgreSQL 18/,
  );
  expect(() => openDataFolder(root)).toThrow('Make a backup with the version of this program that wrote it');
  expect(JSON.parse(readFileSync(join(root, 'format'), 'utf8'))).toEqual({ postgresMajor: 17, pglite: '0.3.1' });
});

test('the format file says what the folder holds, also where it was lost', () => {
  makeDatabase();
  openDataFolder(root, { hasSecret: true }).release();
  expect(JSON.parse(readFileSync(join(root, 'format'), 'utf8'))).toEqual(EMBEDDED);
});

test('what is in the folder is for its owner alone', () => {
  const folder = openDataFolder(root);
  folder.beginCreation();
  for (const path of [folder.db, folder.backups, join(root, 'files')]) expect(statSync(path).mode & 0o777).toBe(0o700);
  folder.release();
});

test('a database whose making was cut off is set aside, a finished one is kept', () => {
  const first = openDataFolder(root);
  first.beginCreation();
  makeDatabase();
  first.release();
  const second = openDataFolder(root);
  expect(existsSync(join(second.db, 'PG_VERSION'))).toBe(false);
  expect(second.setAside).toBe(join(second.backups, readdirSync(second.backups)[0] ?? ''));
  second.beginCreation();
  makeDatabase();
  second.finishCreation();
  second.release();
  openDataFolder(root).release();
  expect(existsSync(join(root, 'db', 'PG_VERSION'))).toBe(true);
});

function makeDatabase(major: number = EMBEDDED.postgresMajor) {
  mkdirSync(join(root, 'db'), { recursive: true });
  writeFileSync(join(root, 'db', 'PG_VERSION'), `${major}\n`);
}

test('a folder that a newer version laid out is refused in one line, and left as it is', () => {
  const newer = JSON.stringify({ ...EMBEDDED, layout: EMBEDDED.layout + 1 });
  writeFileSync(join(root, 'format'), newer);
  expect(() => openDataFolder(root)).toThrow(/^The data folder .* was last used by a newer version.*$/);
  expect(readFileSync(join(root, 'format'), 'utf8')).toBe(newer);
});

describe('a folder that is not all there', () => {
  const finish = () => {
    const folder = openDataFolder(root);
    folder.beginCreation();
    makeDatabase();
    writeFileSync(join(root, 'db', 'postgresql.conf'), '');
    folder.finishCreation();
    folder.release();
  };
  const inside = () => readdirSync(root, { recursive: true }).toSorted();
  const secretOf = () => readFileSync(join(root, 'secret'), 'utf8');

  test.each<[string, () => void]>([
    ['without PG_VERSION', () => rmSync(join(root, 'db', 'PG_VERSION'))],
    ['with an empty PG_VERSION', () => writeFileSync(join(root, 'db', 'PG_VERSION'), '')],
    ['without db', () => rmSync(join(root, 'db'), { recursive: true })],
    ['with an empty db', () => readdirSync(join(root, 'db')).forEach((name) => rmSync(join(root, 'db', name)))],
    [
      'without PG_VERSION and format, as a copy that was cut off leaves it',
      () => ['db/PG_VERSION', 'format'].forEach((name) => rmSync(join(root, name))),
    ],
  ])('%s is refused with the way out, and left as it was', (_, damage) => {
    finish();
    damage();
    const before = inside();
    const attempt = () => openDataFolder(root);
    expect(attempt).toThrow(
      /is not all there .* Nothing was changed\. Copy the whole folder again, or restore a backup into an empty one: .* npm run restore -- FILE/u,
    );
    expect(attempt).toThrow(`move ${join(root, 'db')} and ${join(root, 'format')} elsewhere`);
    expect(inside()).toEqual(before);
  });

  test.each<[string, (step: DataFolder) => void]>([
    ['before the database was begun', () => {}],
    ['while it was made', (folder) => (folder.beginCreation(), mkdirSync(join(root, 'db', 'base')))],
    ['when it was made, before it was flushed', (folder) => (folder.beginCreation(), makeDatabase())],
    [
      'by an earlier version, which wrote the format first',
      (folder) => {
        folder.beginCreation();
        writeFileSync(join(root, 'db.unfinished'), '');
        writeFileSync(join(root, 'format'), JSON.stringify(EMBEDDED));
      },
    ],
  ])('a first start that was killed %s is begun again with the same secret', (_, step) => {
    const killed = openDataFolder(root);
    step(killed);
    killed.release();
    const secret = secretOf();
    finish();
    expect(openDataFolder(root).secrets).toEqual([secret]);
  });

  test('what is finished, or was put in the place of what is not, stays', () => {
    const killed = openDataFolder(root);
    killed.beginCreation();
    makeDatabase();
    writeFileSync(join(root, 'format'), JSON.stringify(EMBEDDED));
    killed.release();
    const next = openDataFolder(root);
    expect([next.setAside, existsSync(join(root, 'db', 'PG_VERSION'))]).toEqual([undefined, true]);
    expect(existsSync(join(root, 'db.unfinished'))).toBe(false);
    next.release();
  });

  test.each<[string, () => void]>([
    ['missing', () => rmSync(join(root, 'secret'))],
    ['empty', () => writeFileSync(join(root, 'secret'), ' \n')],
  ])('a secret that is %s beside data is refused unless there is another', (how, lose) => {
    finish();
    lose();
    const before = inside();
    expect(() => openDataFolder(root)).toThrow(
      new RegExp(`^The secret .* is lost: .*secret is ${how}\\. .* or set AUTH_SECRET\\. .*remove-factor EMAIL`, 'u'),
    );
    expect(inside()).toEqual(before);
    const other = openDataFolder(root, { hasSecret: true });
    expect(other.secrets).toEqual([]);
    other.release();
  });

  test('a secret has a line for each that was used, the newest first', () => {
    finish();
    const old = secretOf();
    writeFileSync(join(root, 'secret'), `the newest secret of this folder\n${old}\n`);
    expect(openDataFolder(root).secrets).toEqual(['the newest secret of this folder', old]);
  });
});

test.each<[string, () => void]>([
  ['garbage', () => writeFileSync(join(root, 'lock'), 'x'.repeat(8_192))],
  ['a folder', () => (rmSync(join(root, 'lock')), mkdirSync(join(root, 'lock')))],
])('a lock that is %s is refused in one sentence', (_, damage) => {
  openDataFolder(root).release();
  damage();
  expect(() => openDataFolder(root)).toThrow(
    /^The lock of .* is damaged\. Stop every server .*, delete .*lock, then start/u,
  );
});
