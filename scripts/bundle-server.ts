// Bundles the server into `server/build`: what every start needs in few files, what is rarely used in files of its own.
//   node scripts/bundle-server.ts HASH_OF_THE_SOURCES
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'server', 'src');
const build = join(root, 'server', 'build');
const unfinished = `${build}.${process.pid}`;
const PACKAGES = 'packages';
const MARK = 'built-from';
const [hash = ''] = process.argv.slice(2);

/** These packages read files that lie beside their code, or load their parts by path; the last one is optional, and we don't use it. */
const EXTERNAL = [
  /^@electric-sql\/pglite/u,
  /^quickjs-emscripten$/u,
  /^officeparser$/u,
  /^tesseract\.js$/u,
  /^@napi-rs\/canvas$/u,
  /^pg-native$/u,
];

const STARTED_FILE = /new URL\('(?<path>[^']+\.ts)', import\.meta\.url\)/gu;

/**
 * Keeps paths right. A worker or child process that a source file names becomes an entry of the bundle; every other path is still relative
 * to the source file.
 */
const ownPaths: Plugin = {
  name: 'own-paths',
  transform: {
    filter: { id: /\.ts$/u, code: /import\.meta\.url/u },
    handler(code, id) {
      if (!id.startsWith(sources)) return undefined;
      const here = `new URL('${relative(build, id)}', import.meta.url).href`;
      const parts = code.split(STARTED_FILE).map((part, at) => {
        if (at % 2 === 0) return part.replaceAll('import.meta.url', here);
        const fileName = `${basename(part, '.ts')}.js`;
        this.emitFile({ type: 'chunk', id: join(dirname(id), part), fileName });
        return `new URL('./${fileName}', import.meta.url)`;
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
  input: { main: join(sources, 'main.ts') },
  platform: 'node',
  external: EXTERNAL,
  plugins: [ownPaths],
});
await bundle.write({
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
writeFileSync(join(unfinished, MARK), hash);
// Another process may have bundled the same sources meanwhile, and a server may run from them.
const isDone = existsSync(join(build, MARK)) && readFileSync(join(build, MARK), 'utf8') === hash;
rmSync(isDone ? unfinished : build, { recursive: true, force: true });
if (!isDone) renameSync(unfinished, build);
