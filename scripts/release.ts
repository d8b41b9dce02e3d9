// `npm run build:release`: writes what has been built into a folder that needs nothing but Node to run.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import SERVER_FLAGS from './server-flags.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, 'release'));

/** The commands beside the server: programs of the bundle. */
const COMMANDS = ['admin', 'backup', 'restore', 'go-back', 'move'];
/** The data of text recognition and of PDFs are found by path. */
const BY_PATH = ['@tesseract.js-data/eng', 'pdfjs-parts'];
/** What no release runs, by its path below node_modules: typings, maps and papers; what is meant for browsers; interpreters that we don't load, though their package names them all. */
const LEFT_OUT = [
  /\.(?:ts|mts|cts|map|md)$/u,
  /^officeparser\/dist\/officeparser\.browser\./u,
  /^tesseract\.js\/dist\//u,
  /^tesseract\.js-core\/.*\.wasm\.js$/u,
  /^@tesseract\.js-data\/eng\/4\.0\.0\//u,
  /^pdfjs-parts\/(?:build|iccs|image_decoders|legacy|types|web)(?:\/|$)/u,
  /^@jitl\/quickjs-wasmfile-(?:debug|release-asyncify)[\w-]*\/dist\/(?:emscripten-module|ffi)\./u,
];

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const readManifest = (path: string): Manifest => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

/** The folder of a package as code in `from` finds it. */
function findPackage(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name);
  if (existsSync(path)) return path;
  return from === root ? undefined : findPackage(name, dirname(from));
}

/** The folders of the named packages and of all that they need; optional ones where they are installed. */
function packagesFor(names: string[], from: string, found = new Set<string>(), isOptional = false): Set<string> {
  for (const name of names) {
    const path = findPackage(name, from);
    if (path === undefined && !isOptional) throw new Error(`The package ${name} is not installed.`);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = readManifest(path);
    const optional = Object.keys(optionalDependencies);
    const needed = Object.keys(dependencies).filter((dependency) => !optional.includes(dependency));
    packagesFor(needed, path, found);
    packagesFor(optional, path, found, true);
  }
  return found;
}

function copyPackages(): void {
  const imported: string[] = JSON.parse(readFileSync(join(root, 'server', 'build', 'external-packages.json'), 'utf8'));
  const names = imported.map((specifier) => /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)?.[0] ?? specifier);
  for (const path of packagesFor([...names, ...BY_PATH], join(root, 'server'))) {
    cpSync(path, join(folder, relative(root, path)), {
      recursive: true,
      // Packages inside it are copied for themselves.
      filter: (file) => {
        const inside = relative(path, file).split(sep).join('/');
        const name = path
          .slice(path.lastIndexOf(`node_modules${sep}`) + 13)
          .split(sep)
          .join('/');
        return !inside.startsWith('node_modules') && !LEFT_OUT.some((pattern) => pattern.test(`${name}/${inside}`));
      },
    });
  }
}

/** A file that starts a program of the bundle in its own process, in which V8 and glibc have their settings from the beginning. */
const launcher = (program: string, flags: string[]) => `#!/usr/bin/env node
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(\`Node 24 or newer is needed; this is \${process.version}.\\n\`);
  process.exit(1);
}
const program = join(import.meta.dirname, 'server', 'build', '${program}.js');
const flags = ${JSON.stringify(flags)};
// The same process goes on as that program, so signals reach it. Windows can't do that; there it only takes more memory.
if (process.platform !== 'win32' && flags.length > 0) {
  const environment = { MALLOC_ARENA_MAX: '2', ...process.env };
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, program, ...process.argv.slice(2)], environment);
}
await import(pathToFileURL(program));
`;

const isNew = !existsSync(folder) || readdirSync(folder).length === 0;
if (!isNew && (!existsSync(join(folder, 'built-by')) || existsSync(join(folder, 'data')))) {
  console.error(`${folder} is not empty: choose a new folder, or that of an earlier release without data in it.`);
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// Says that this is a release; install.sh takes this Node where the machine's own is older.
writeFileSync(join(folder, 'built-by'), process.execPath);
for (const built of ['server/build', 'web/build/client', 'web/build/csp.json', 'web/build/addresses.json']) {
  cpSync(join(root, built), join(folder, built), { recursive: true });
}
copyPackages();
const { version } = readManifest(root);
writeFileSync(join(folder, 'server.js'), launcher('main', SERVER_FLAGS), { mode: 0o755 });
for (const name of COMMANDS) writeFileSync(join(folder, `${name}.js`), launcher(name, []), { mode: 0o755 });
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify({ name: 'atelier', version, license: 'MIT', private: true, type: 'module' }, null, 2)}\n`,
);
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
cpSync(join(root, 'install'), folder, { recursive: true });
console.log(`Atelier ${version} is in ${folder}: node ${join(folder, 'server.js')}`);
