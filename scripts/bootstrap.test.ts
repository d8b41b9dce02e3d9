import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isInstalled } from './bootstrap.mjs';

const root = join(import.meta.dirname, '..');
const lock: { packages: Record<string, { version?: string; dev?: boolean; optional?: boolean; link?: boolean }> } =
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

const WANTED = {
  '': {},
  web: { version: '1.0.0' },
  'node_modules/react': { version: '19.0.0' },
  'node_modules/own': { link: true },
  'node_modules/vitest': { version: '5.0.0', dev: true },
  'node_modules/canvas': { version: '1.0.0', optional: true },
};
const SMALL = { 'node_modules/react': { version: '19.0.0' }, 'node_modules/own': { link: true } };
const ALL = { ...SMALL, 'node_modules/vitest': { version: '5.0.0', dev: true } };

describe('whether packages are installed', () => {
  it('asks for tools only where they are needed', () => {
    expect([isInstalled(false, WANTED, SMALL), isInstalled(true, WANTED, SMALL)]).toEqual([true, false]);
    expect([isInstalled(false, WANTED, ALL), isInstalled(true, WANTED, ALL)]).toEqual([true, true]);
  });

  it('notices another version, a missing one, and half an install', () => {
    const other = { ...ALL, 'node_modules/react': { version: '18.0.0' } };
    expect(isInstalled(false, WANTED, other)).toBe(false);
    expect(isInstalled(false, WANTED, { 'node_modules/react': { version: '19.0.0' } })).toBe(false);
    expect(isInstalled(false, WANTED, {})).toBe(false);
  });
});

it('starting installs no tool: what an optional peer of another package finds is installed with it', () => {
  const tools = [
    'biome',
    'drizzle-kit',
    'esbuild',
    'langchain',
    'openai',
    'oxlint',
    'playwright',
    'recheck',
    'typescript',
  ];
  const left = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
  const names = left.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));
  expect(names.filter((name) => tools.some((tool) => name === tool || name.startsWith(`@${tool}`)))).toEqual([]);
  expect(names.length).toBeGreaterThan(100);
});

it.each([
  ['9.2.0', ['npx', '-y', 'npm@11', '--prefix', root]],
  ['10.8.2', ['npm']],
  ['11.6.0', ['npm']],
])('beside npm %s installs by %j', (version, command) => {
  const folder = mkdtempSync(join(tmpdir(), 'npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  const find = "import('./scripts/bootstrap.mjs').then(({ findNpm }) => console.log(JSON.stringify(findNpm())))";
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { stdout } = spawnSync(process.execPath, ['-e', find], { cwd: root, env, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual(command);
});

describe('on an older Node', () => {
  const OLD = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });";
  const FIND = "import('./scripts/bootstrap.mjs').then(({ findNode }) => console.log(findNode()))";

  /** What `findNode` says where `npx` answers with the given path: `$1` if it may run the script that puts Node in place, else `$2`. */
  function findWith(withScripts: string, without: string) {
    const folder = mkdtempSync(join(tmpdir(), 'node-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const file of ['scripts/bootstrap.mjs', 'scripts/server-flags.json']) {
      cpSync(join(root, file), join(folder, file));
    }
    const npx = `#!/bin/sh\n[ "$npm_config_ignore_scripts" = false ] && echo ${withScripts} || echo ${without}\n`;
    writeFileSync(join(folder, 'npx'), npx, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder };
    return spawnSync(process.execPath, ['-e', `${OLD}${FIND}`], { cwd: folder, env, encoding: 'utf8' });
  }

  it('the newer one may run the script that puts it in place, though `.npmrc` allows none', () => {
    expect(findWith(process.execPath, '/bin/false').stdout).toMatch(new RegExp(`\n${process.execPath}\n$`, 'u'));
  });

  it('one that is not newer is refused with a sentence', () => {
    const { status, stderr } = findWith('/bin/false', process.execPath);
    expect([status, stderr]).toEqual([1, expect.stringContaining('Node 24 could not be fetched')]);
  });
});
