// Bundles the server and its other programs into `server/build`: what every start needs in few files, what is rarely used in files of its own.
//   node scripts/bundle-server.ts HASH_OF_THE_SOURCES
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const server = join(root, 'server');
const sources = join(server, 'src');
const build = join(server, 'build');
const unfinished = `${build}.${process.pid}`;
const PACKAGES = 'packages';
const MARK = 'built-from';
const [hash = ''] = process.argv.slice(2);

/** The programs in `server/src` that the bundle starts. */
const ENTRIES = ['main', 'admin', 'backup', 'restore', 'go-back', 'move'];

/** These packages read files that lie beside their code, or load their parts by path; the last one is optional, and we don't use it. */
const EXTERNAL = [
  /^@electric-sql\/pglite/u,
  /^quickjs-emscripten$/u,
  /^officeparser$/u,
  /^tesseract\.js$/u,
  /^@napi-rs\/canvas$/u,
  /^pg-native$/u,
];

const OWN_FILE = /new URL\('(?<path>[^']+)', import\.meta\.url\)/gu;
/** Files and folders of the server that it reads, by their names; they are copied beside the bundle. */
const read = new Map<string, string>();

/**
 * Keeps paths right. A worker or child process that a source file names becomes an entry of the bundle, and what the server reads lies beside
 * it, so that the bundle runs without its sources. The pages are built to a folder of their own, which keeps its place.
 */
const ownPaths: Plugin = {
  name: 'own-paths',
  transform: {
    filter: { id: /\.ts$/u, code: /import\.meta\.url/u },
    handler(code, id) {
      if (!id.startsWith(sources)) return undefined;
      const parts = code.split(OWN_FILE).map((part, at) => {
        if (at % 2 === 0) return part;
        const path = resolve(dirname(id), part);
        const name = part.endsWith('.ts') ? `${basename(part, '.ts')}.js` : basename(path);
        if (part.endsWith('.ts')) this.emitFile({ type: 'chunk', id: path, fileName: name });
        else if (path.startsWith(server)) read.set(name, path);
        else return `new URL('${relative(build, path)}', import.meta.url)`;
        return `new URL('./${name}', import.meta.url)`;
      });
      // No line moves, so the source map stays right.
      return { code: parts.join(''), map: null };
    },
  },
  generateBundle(_, files) {
    for (const name of Object.keys(files)) if (name.startsWith(PACKAGES) && name.endsWith('.map')) delete files[name];
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((name) => [name, join(sources, `${name}.ts`)])),
  platform: 'node',
  external: EXTERNAL,
  plugins: [ownPaths],
});
const { output } = await bundle.write({
  dir: unfinished,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // Apart from our own code, whose maps stay small: they are read when an error is logged.
  codeSplitting: { groups: [{ name: PACKAGES, test: /[\\/]node_modules[\\/]/u, entriesAware: true }] },
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
// The functions of the database, which stand beside their features.
for (const file of globSync('**/*.sql', { cwd: sources })) cpSync(join(sources, file), join(unfinished, 'sql', file));
for (const [name, path] of read) cpSync(path, join(unfinished, name), { recursive: true });
const imported = output.flatMap((file) => (file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : []));
const packages = new Set(imported.filter((name) => EXTERNAL.some((pattern) => pattern.test(name))));
// What a release must bring along.
writeFileSync(join(unfinished, 'external-packages.json'), JSON.stringify([...packages].sort()));
// Which version to check out again, when an upgrade is taken back.
const { stdout: commit } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' });
writeFileSync(join(unfinished, 'commit'), (commit ?? '').trim());
writeFileSync(join(unfinished, MARK), hash);
// Another process may have bundled the same sources meanwhile, and a server may run from them.
const isDone = existsSync(join(build, MARK)) && readFileSync(join(build, MARK), 'utf8') === hash;
rmSync(isDone ? unfinished : build, { recursive: true, force: true });
if (!isDone) renameSync(unfinished, build);
