// Plain JavaScript without dependencies: it runs before anything is installed, on any Node from 20 on.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

export const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
/** By itself V8 lets garbage grow to hundreds of megabytes before it looks for it; with these bounds the server answers as fast. */
export const SERVER_FLAGS = JSON.parse(readFileSync(join(root, 'scripts', 'server-flags.json'), 'utf8'));
/** Settings from the file `.env`; what the environment already has wins. Node 24 reads it, because Node 20 before 20.12 can't. */
export const envFile = () => (existsSync(join(root, '.env')) ? [`--env-file=${join(root, '.env')}`] : []);

const NEEDED = 24;
/** npm and the builds of pages let garbage grow and keep what was freed: with these settings they need a quarter less memory, and as long. */
const FRUGAL = {
  MALLOC_ARENA_MAX: '1',
  MIMALLOC_PURGE_DELAY: '0',
  MIMALLOC_ARENA_EAGER_COMMIT: '0',
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=4`.trim(),
};
const cache = join(root, 'node_modules', '.cache', 'atelier');
const nodePathFile = join(cache, 'node-path');
const windows = process.platform === 'win32';

export const say = (line) => process.stdout.write(`${line}\n`);

/** Ends with a sentence instead of a stack trace. */
export function fail(message, code = 1) {
  process.stderr.write(`\n${message}\n`);
  process.exit(code);
}

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
const major = () => Number(process.versions.node.split('.')[0]);
const isNewEnough = (path) =>
  path !== '' &&
  spawnSync(path, ['-e', `process.exit(parseInt(process.versions.node) >= ${NEEDED} ? 0 : 1)`]).status === 0;

/** The path of a Node that runs TypeScript directly: this one if it is new enough, otherwise one from npx. */
export function findNode() {
  if (major() >= NEEDED) return process.execPath;
  if (major() < 20) fail(`Node 20 or newer is needed; this is ${process.version}.`);
  const known = readIfThere(nodePathFile);
  if (isNewEnough(known)) return known;
  const place = npmPlace();
  say(
    `This is Node ${process.versions.node}; fetching Node ${NEEDED} into npm's cache (nothing is installed globally) …`,
  );
  const since = Date.now();
  const asked = spawnSync('npx', ['-y', '-p', `node@${NEEDED}`, '--', 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
    // npm 9 can't read the overrides of package.json, so it must not find one where it runs.
    cwd: tmpdir(),
    // This package's script puts its Node in place; `.npmrc` turns scripts off.
    env: { ...process.env, ...place, npm_config_ignore_scripts: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: windows,
  });
  const path = (asked.stdout ?? '').trim().split('\n').at(-1) ?? '';
  if (asked.status !== 0 || !isNewEnough(path)) {
    fail(
      `Node ${NEEDED} could not be fetched:\n${asked.stderr ?? asked.error}\nInstall Node ${NEEDED} yourself, then repeat.`,
    );
  }
  say(`  done in ${seconds(since)}`);
  rememberNode(path);
  return path;
}

/** The variables npm needs to find its cache; an account without a home must name one. */
function npmPlace() {
  const cacheFolder = process.env.npm_config_cache;
  try {
    if (homedir() !== '/' && existsSync(homedir())) return {};
  } catch {
    // The account has no entry in the system's list.
  }
  if (cacheFolder !== undefined) return { HOME: cacheFolder };
  return fail(
    `Node ${NEEDED} or newer is needed; this is ${process.version}, and this account has no home folder into which npm could fetch it. Install Node ${NEEDED}, or name a folder: npm_config_cache=… npm start`,
  );
}

/** Saves the next start the search; without it, on a read-only tree, npm finds that Node in its cache. */
function rememberNode(path) {
  try {
    mkdirSync(cache, { recursive: true });
    writeFileSync(nodePathFile, path);
  } catch {}
}

/** The environment in which `node` and `npm` mean the given Node. */
export const environment = (node, extra = {}) => ({
  ...process.env,
  PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  ...extra,
});

const packagesOf = (file) => {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
};
// npm writes its own list last, so half an install doesn't count.
const installedPackages = () => packagesOf('node_modules/.package-lock.json');

/** Whether the packages that the lockfile lists are installed: all, or only what building and running needs. */
export function isInstalled(everything, wanted = packagesOf('package-lock.json'), present = installedPackages()) {
  if (present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional, link, dev }]) => {
    if (optional === true || (dev === true && !everything) || !path.includes('node_modules/')) return true;
    return link === true ? present[path] !== undefined : present[path]?.version === version;
  });
}

function runOrFail(what, node, command, args, { env, cwd = root } = {}) {
  say(`${what} …`);
  const since = Date.now();
  const done = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: environment(node, { ...FRUGAL, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    shell: windows,
  });
  if (done.status !== 0) {
    fail(`${done.stdout ?? ''}${done.stderr ?? done.error}\n${what}: failed. Above is what it said.`, done.status ?? 1);
  }
  say(`  done in ${seconds(since)}`);
}

/**
 * Installs what the lockfile lists, unless it is installed already: what building and running needs, or also what tests and tools need. Where
 * tools are installed they stay, and a later install adds what is missing.
 */
export function install(node, { everything = false } = {}) {
  if (isInstalled(everything)) return;
  const present = installedPackages();
  const all = everything || Object.values(present ?? {}).some(({ dev }) => dev === true);
  const what = all ? 'Installing the packages of tests and tools too' : 'Installing packages (the first time only)';
  const how = present === undefined ? ['ci'] : ['install', '--no-save'];
  // `include` also where NODE_ENV=production would leave them out.
  const set = all ? '--include=dev' : '--omit=dev';
  const [npm, ...through] = findNpm();
  // Elsewhere, because npm 9 reads the package.json of where it runs, and fails.
  const cwd = through.length === 0 ? root : tmpdir();
  // 15 downloads at once, npm's own choice, take 70 MB more and no less time.
  const modest = ['--maxsockets=4', '--no-audit', '--no-fund'];
  runOrFail(what, node, npm, [...through, ...how, set, ...modest], { cwd });
}

/** The machine's npm, or one that its own fetches: npm 9, which Debian has beside Node 20, can't read the overrides of package.json. */
export function findNpm() {
  const { stdout } = spawnSync('npm', ['--version'], { encoding: 'utf8', shell: windows });
  return Number.parseInt(stdout ?? '', 10) < 10 ? ['npx', '-y', 'npm@11', '--prefix', root] : ['npm'];
}

/** What is built from sources: where, from which files, and by what. */
const PAGES = {
  folder: 'web/build',
  sources: [
    'contract/src',
    'web/app',
    'web/public',
    'web/package.json',
    'web/tsconfig.json',
    'web/vite.config.ts',
    'web/react-router.config.ts',
    'scripts/copy-frame-parts.ts',
    'scripts/finish-public-pages.ts',
    'scripts/first-words.ts',
    'scripts/route-documents.ts',
    'package-lock.json',
  ],
};
const BUNDLE = {
  folder: 'server/build',
  sources: [
    'contract/src',
    'server/src',
    'server/migrations',
    'server/package.json',
    'scripts/bundle-server.ts',
    'package-lock.json',
  ],
};

function filesUnder(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  return stat.isDirectory() ? readdirSync(join(root, path)).flatMap((name) => filesUnder(`${path}/${name}`)) : [path];
}

/** Tests are not built. */
const isTest = (file) => /\.test\.tsx?$|^server\/src\/testing\//u.test(file);

function sourceHash({ sources }) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesUnder).sort()) {
    if (!isTest(file)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

const builtFrom = ({ folder }) => join(root, folder, 'built-from');

/** The web's own tool, which may be in its own node_modules. */
export function reactRouter() {
  const { resolve } = createRequire(join(root, 'web', 'package.json'));
  return join(dirname(resolve('@react-router/dev/package.json')), 'bin.cjs');
}

/** Whether the built pages are those of the current sources. */
export const pagesAreBuilt = () => readIfThere(builtFrom(PAGES)) === sourceHash(PAGES);

/** Builds the pages, unless the current sources were built already. */
export function buildWeb(node) {
  if (pagesAreBuilt()) return;
  const hash = sourceHash(PAGES);
  const env = { NODE_ENV: 'production' };
  runOrFail('Building the pages', node, 'node', [reactRouter(), 'build'], { env, cwd: join(root, 'web') });
  runOrFail('Finishing the pages', node, 'node', ['scripts/finish-public-pages.ts'], { env });
  writeFileSync(builtFrom(PAGES), hash);
}

/** Bundles the server, unless the current sources were bundled already; returns the file to start. */
export function bundleServer(node) {
  const hash = sourceHash(BUNDLE);
  if (readIfThere(builtFrom(BUNDLE)) !== hash) {
    runOrFail('Bundling the server', node, 'node', ['scripts/bundle-server.ts', hash]);
  }
  return `${BUNDLE.folder}/main.js`;
}

/** The parent of a process, and whether that process is a shell; undefined when /proc doesn't say. */
function lookUp(pid) {
  const stat = /^\d+ \((?<name>.*)\) \S (?<parent>\d+) /u.exec(readIfThere(`/proc/${pid}/stat`))?.groups;
  return stat && { parent: stat.parent, isShell: /^(?:ba|da|z)?sh$/u.test(stat.name) };
}

/** Ends `child` when npm, which started this process (often through a shell), is gone without passing on a signal. */
function followParent(child) {
  if (process.env.npm_lifecycle_event === undefined || windows) return;
  const ancestors = () => {
    const shell = lookUp(process.ppid);
    return shell?.isShell ? `${process.ppid} ${shell.parent}` : String(process.ppid);
  };
  const first = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === first) return;
    clearInterval(timer);
    // A second signal would cut short what the first one lets finish.
    if (!child.killed) child.kill('SIGTERM');
  }, 500).unref();
}

/**
 * Runs a file, which may be TypeScript, with the given Node and its flags in the foreground: passes signals on, returns the exit code, and
 * closes the channel when this process is killed, so that the child ends too.
 */
export function run(node, file, args = [], flags = []) {
  const child = spawn(node, [...flags, join(root, file), ...args], {
    cwd: root,
    // Caching compiled modules halves the loading time of later starts. glibc would keep freed memory for each of a dozen threads.
    env: environment(node, { NODE_COMPILE_CACHE: join(cache, 'compiled'), MALLOC_ARENA_MAX: '2' }),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  followParent(child);
  child.on('error', (error) => fail(`${file} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + (constants.signals[signal] ?? 0)));
  return child;
}
