import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { withSourcePosition } from '../server/src/platform/logged-error.ts';
import { temporaryFolder } from '../server/src/testing/lifetimes.ts';

const root = join(import.meta.dirname, '..');

/** A program as small as possible, built by the real scripts. */
const { folder: project } = temporaryFolder('bundling');
const inProject = (path: string) => join(project, path);
const write = (path: string, text: string) => writeFileSync(inProject(path), text);

/** Each package by itself, and a list that says that all are there: were the folder itself linked, an installation would empty it. */
function linkPackages(): void {
  mkdirSync(inProject('node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => !entry.startsWith('.'))) {
    symlinkSync(join(root, 'node_modules', name), inProject(`node_modules/${name}`));
  }
  cpSync(join(root, 'package-lock.json'), inProject('node_modules/.package-lock.json'));
}

mkdirSync(inProject('server/src'), { recursive: true });
cpSync(join(root, 'scripts'), inProject('scripts'), { recursive: true });
for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), inProject(file));
linkPackages();
for (const other of ['admin', 'backup', 'restore', 'go-back', 'move']) write(`server/src/${other}.ts`, '');

/** Bundles, unless nothing has changed, and runs the bundle; returns what it prints. */
function start(): string {
  const built = spawnSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: project, encoding: 'utf8' });
  expect(built.status, built.stdout + built.stderr).toBe(0);
  return spawnSync(process.execPath, ['server/build/main.js'], { cwd: project, encoding: 'utf8' }).stdout;
}
const bundledAt = () => statSync(inProject('server/build/main.js')).mtimeMs;

describe('bundling the server', () => {
  it('happens again only when a source has changed', () => {
    write('server/src/main.ts', "const word: string = 'one';\nconsole.log(word);\n");
    expect(start()).toBe('one\n');
    const first = bundledAt();
    write('server/src/some.test.ts', 'a test is not part of it');
    expect([start(), bundledAt()]).toEqual(['one\n', first]);
    write('server/src/main.ts', "const word: string = 'two';\nconsole.log(word);\n");
    expect(start()).toBe('two\n');
  });

  it('has maps that lead a logged error back to its source', () => {
    write('server/src/main.ts', "\n\nconsole.log(new Error('here').stack);\n");
    const frame = start().split('\n')[1]?.trim() ?? '';
    expect(frame).toContain('/server/build/main.js:1:');
    expect(withSourcePosition(frame)).toBe(`at ${pathToFileURL(inProject('server/src/main.ts')).href}:3:13`);
    expect(withSourcePosition('at nowhere (file:///x/server/build/none.js:1:2)')).toContain('none.js:1:2');
  });
});
