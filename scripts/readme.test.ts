import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { configurationPage, exampleSettings, names } from './docs.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pagesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

it('has the documentation of the variables as npm run docs writes it', () => {
  expect(names.length).toBeGreaterThan(50);
  expect(read('docs/configuration.md')).toBe(configurationPage());
  expect(read('.env.example')).toBe(exampleSettings());
});

it('names in the README only variables that exist', () => {
  const rows = read('README.md').split('\n');
  const named = rows
    .filter((line) => line.startsWith('| `'))
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/gu)].map(([, name]) => name ?? ''));
  expect(named).toHaveLength(10);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

it('keeps the README within one look', () => expect(read('README.md').split('\n').length).toBeLessThanOrEqual(60));

it('documents every command of package.json, and no other', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = read('docs/commands.md');
  const missing = Object.keys(scripts).filter(
    (name) => !new RegExp(`\\| \`npm (?:run )?${name}[\` ]`, 'u').test(commands),
  );
  expect(missing).toEqual([]);
  const texts = ['README.md', 'CONTRIBUTING.md', ...pagesIn('docs')].map(read).join('\n');
  const named = [...texts.matchAll(/npm run (?<name>[a-z][a-z:-]*)/gu)].map((match) => match.groups?.name ?? '');
  expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

it('documents no command that needs a Node newer than the one that npm start needs', () => {
  const texts = ['README.md', 'CONTRIBUTING.md', ...pagesIn('docs')].map(read).join('\n');
  expect(texts.match(/`node [a-z/-]+\.ts/gu)).toBeNull();
});

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gmu)].map(([, heading]) => anchorOf(heading ?? ''));

it('names in docs/security.md only files that there are, and counts what is open as its table does', () => {
  const page = read('docs/security.md');
  const folders = ['contract/src', 'e2e', 'scripts', 'server/src', 'web/app'];
  const files = folders.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }));
  const known = new Set(files.map((path) => basename(path)));
  const named = [...page.matchAll(/`(?<name>[\w.-]+\.tsx?)`/gu)].map((match) => match.groups?.name ?? '');
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  const ids = page.split('\n').flatMap((line) => /^\| V[^|]*/u.exec(line)?.[0].match(/V\d+\.\d+\.\d+/gu) ?? []);
  const figures = [...page.matchAll(/(\d+) (?:are met|don’t apply|are open)/gu)].map(([, figure]) => Number(figure));
  const [met = 0, none = 0, partly = 0, open = 0] = figures;
  expect([new Set(ids).size, ids.length]).toEqual([partly + open, partly + open]);
  expect(met + none + partly + open).toBe(253);
});

it('links to nothing that is missing, neither pages nor headings', () => {
  const pages = ['.', 'docs', 'docs/decisions', 'docs/measurements'].flatMap(pagesIn);
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)(?<path>[^)#\s]*)(?:#(?<anchor>[^)]+))?\)/gu)]
      .map((match) => ({ path: match.groups?.path ?? '', anchor: match.groups?.anchor }))
      .filter(({ path, anchor }) => {
        const target = path === '' ? page : normalize(join(dirname(page), path));
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
      })
      .map(({ path, anchor }) => `${page}: ${path}#${anchor ?? ''}`),
  );
  expect(broken).toEqual([]);
});
