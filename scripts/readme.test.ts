import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('names every environment variable that the server reads, and no other', () => {
  const variables = [...read('server/src/config.ts').matchAll(/^ {2,4}([A-Z][A-Z0-9_]+):/gmu)].map(([, name]) => name);
  const table = /## Configuration(?<table>.*?)\n## /su.exec(read('README.md'))?.groups?.table ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/gu)].map(([, name]) => name),
  );
  expect(variables.length).toBeGreaterThan(10);
  expect(named.sort()).toEqual(variables.sort());
});

it('names every command of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const texts = read('README.md') + read('CONTRIBUTING.md');
  const unnamed = Object.keys(scripts).filter(
    (name) => ![`npm run ${name}`, `npm ${name}`].some((c) => texts.includes(c)),
  );
  expect(unnamed).toEqual([]);
});

it('links to nothing that is missing', () => {
  const texts = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map(read).join('\n');
  const paths = [...texts.matchAll(/\]\((?!http)(?<path>[^)#]+)\)/gu)].map((match) => match.groups?.path ?? '');
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
