import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** The files changed since the last commit or, if there are none, those of the last commit. */
export function changedFiles(): string[] {
  const open = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  return open.length > 0 ? open : git('diff', '--name-only', 'HEAD~1', 'HEAD');
}

const FEATURE = /^(?:server\/src|web\/app)\/features\/[^/]+\//u;
const CONTRACT = /^contract\/src\/(?<name>[^/.]+)/u;

/** In a folder that contains everything else, only the files of the same name. */
function besideIt(file: string): string[] {
  const folder = dirname(file);
  if (folder === '.') return [];
  return [/^(?:server\/src|web\/app)$/u.test(folder) ? `${folder}/${basename(file).split('.')[0]}.` : `${folder}/`];
}

/** The features that answer or make the calls of a contract: not only those of its name. */
const featuresOf = (name: string) =>
  globSync('{server/src,web/app}/features/**/*.{routes,api}.ts', { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').includes(`'@atelier/contract/${name}`))
    .flatMap((file) => FEATURE.exec(file)?.[0] ?? [])
    .sort();

/** Where a change most likely breaks tests: in its feature, or for a shape on the wire in the features that speak it. */
export function testsBeside(files: readonly string[]): string[] {
  const places = files
    .filter((file) => /\.(?:tsx?|sql|css)$/u.test(file) && !file.startsWith('e2e/'))
    .flatMap((file) => {
      const name = CONTRACT.exec(file)?.groups?.name;
      if (name === undefined) return FEATURE.exec(file)?.[0] ?? besideIt(file);
      return [
        `server/src/features/${name}/`,
        `web/app/features/${name}/`,
        ...featuresOf(name),
        `contract/src/${name}.`,
      ];
    });
  return [...new Set(places)];
}
