import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
