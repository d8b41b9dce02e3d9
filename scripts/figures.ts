// What there is to read, and what a browser loads: lines and files by part, what a call of the API takes, what is said more than once.
//   npm run figures
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const client = join(root, 'web/build/client');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => existsSync(join(root, file)) && statSync(join(root, file)).isFile());
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const linesOf = (some: string[]) => some.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);

const SOURCE = /\.(?:tsx?|mjs|mts|js|css|sql)$/u;
const TEST = /\.test\.tsx?$/u;
/** A file belongs to the first part whose pattern it matches. */
const PARTS: [name: string, pattern: RegExp, kind?: RegExp][] = [
  ['server/src/testing', /^server\/src\/testing\//u],
  ['server, tests', /^server\/src\/.*\.test\.ts$/u],
  ['server, product', /^server\/(?!migrations)/u],
  ['server, migrations', /^server\/migrations\/[^/]*$/u],
  ['web, tests', /^web\/.*\.test\.tsx?$/u],
  ['web, product', /^web\//u],
  ['contract', /^contract\//u],
  ['e2e', /^e2e\//u],
  ['bench', /^bench\//u],
  ['scripts', /^scripts\//u],
  ['docs', /^(?:docs\/|[^/]*\.md$)/u, /\.md$/u],
];
const partOf = (file: string) => PARTS.find(([, pattern, kind = SOURCE]) => pattern.test(file) && kind.test(file))?.[0];
const parts = PARTS.map(([part]) => {
  const own = files.filter((file) => partOf(file) === part);
  return { part, files: own.length, lines: linesOf(own) };
});
const workbench = parts.filter(({ part }) => ['bench', 'scripts', 'server/src/testing'].includes(part));
const sumOf = (key: 'files' | 'lines') => workbench.reduce((all, part) => all + part[key], 0);
parts.push({ part: workbench.map(({ part }) => part).join(' + '), files: sumOf('files'), lines: sumOf('lines') });

const product = files.filter(
  (file) => /^(?:server|web|contract)\//u.test(file) && SOURCE.test(file) && !TEST.test(file),
);
const groups = product
  .filter((file) => file.startsWith('contract/'))
  .flatMap((file) => textOf(file).match(/= calls\([\s\S]*?\n\}\);\n/gu) ?? []);
const calls = groups.flatMap((group) => group.match(/^ {2}\w+: (?:get|post|create|put|patch|remove)\(/gmu) ?? []);
const usesOfCalls = linesOf(product.filter((file) => /\.routes\.ts$|\.api\.tsx?$/u.test(file)));
const linesOfCalls = groups.join('').split('\n').length - 1 + usesOfCalls;

const CREATED = /create (?:or replace )?function "?(\w+)/giu;
const functionsIn = (some: string[]) =>
  some.flatMap((file) => Array.from(textOf(file).matchAll(CREATED), ([, name]) => name));
const inHome = /^server\/src\/.*\/sql\/[^/]+\.sql$/u;
const atHome = new Set(functionsIn(product.filter((file) => inHome.test(file))));
const dropped = product.flatMap((file) =>
  Array.from(textOf(file).matchAll(/drop function (?:if exists )?"?(\w+)/giu), ([, name]) => name),
);
const homeless = functionsIn(product.filter((file) => !inHome.test(file))).filter(
  (name) => !atHome.has(name) && !dropped.includes(name),
);

const definitionsOf = (pattern: RegExp) =>
  product
    .filter((file) => !file.startsWith('server/migrations/') && !file.startsWith('server/src/testing/'))
    .flatMap((file) => Array.from(textOf(file).matchAll(pattern), () => file));
const onPath = definitionsOf(/on_path or \(\w+\.deleted_at is null/giu);
const inFlight = definitionsOf(/'running'[^'\n]{0,30}'waiting'(?!, ')/gu);

console.table(parts);
console.log(
  `${(linesOfCalls / calls.length).toFixed(1)} lines a call, in contract, server and web: ${calls.length} calls`,
);
console.log(`${homeless.length} SQL functions outside their home ${[...new Set(homeless)].join(', ')}`);
console.log(`${onPath.length} definitions of “on the path”: ${onPath.join(', ')}`);
const compares = textOf('server/src/platform/database/functions.database.test.ts').includes('isInFlight(status)')
  ? ', which a test compares'
  : '';
console.log(`${inFlight.length} definitions of “in flight”${compares}: ${inFlight.join(', ')}`);
if (existsSync(client)) console.table(globSync('**/{index,__shared}.html', { cwd: client }).sort().map(scriptOf));

/** The script that a page asks for before anybody does anything, as it is sent. */
function scriptOf(page: string) {
  const html = readFileSync(join(client, page), 'utf8');
  const scripts = new Set(Array.from(html.matchAll(/"(\/[^"\s]+\.js)"/gu), ([, path = '']) => path));
  const sizes = [...scripts].map((path) => {
    const sent = [`${path}.br`, path].find((one) => existsSync(join(client, one)));
    return sent === undefined ? 0 : statSync(join(client, sent)).size;
  });
  const kB = sizes.reduce((all, size) => all + size, 0) / 1000;
  return { page, scripts: scripts.size, 'kB as sent': Number(kB.toFixed(1)) };
}
