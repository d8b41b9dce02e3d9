import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { reactRouter } from './bootstrap.mjs';
import { changedFiles, testsBeside } from './changed.ts';
import { counted, missing, type Outcome, readPlaywright, readVitest, root, runProgram, verdict } from './check-step.ts';
import { CHROMIUM_ADVICE, FULL_CHROMIUM_ADVICE, findChromium, findOrInstallHeadlessChromium } from './chromium.ts';
import { findOrInstallPostgres, POSTGRES_ADVICE, startPostgres } from './postgres.ts';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** With room to spare: PostgreSQL's log alone may take 1 GB, and each embedded database tens of megabytes. */
const ROOM_BYTES = 6 * 1024 ** 3;

/** Whether programs and their native parts may be run from there: a release is. */
const runsPrograms = () =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .some(([, place, , options]) => place === MEMORY && options?.split(',').includes('noexec') === false);

/**
 * A folder in memory that is removed when this process ends, or undefined where there is none or too little room. A disk may take a millisecond of
 * processor time for each new file, and each database of a test has a thousand.
 */
function makeMemoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < ROOM_BYTES || !runsPrograms()) return undefined;
    const folder = mkdtempSync(join(MEMORY, 'atelier-checks-'));
    // PostgreSQL and some servers of tests run as other accounts.
    chmodSync(folder, 0o1777);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return undefined;
  }
}

// What steps and the programs that they start write for a while.
process.env.TMPDIR = makeMemoryFolder() ?? tmpdir();
const reports = mkdtempSync(join(tmpdir(), 'atelier-checks-'));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));

/** Runs tests on the embedded database, or where `env` says; all of them, or those whose path contains an argument. */
export async function vitest(name: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const report = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return counted(await runProgram('vitest', ['run', ...args, ...reporters], env), report, readVitest);
}

/** Runs the server's tests on a PostgreSQL of their own. */
export async function onPostgres(args: string[] = []): Promise<Outcome> {
  if (findOrInstallPostgres() === undefined) return missing(POSTGRES_ADVICE);
  const postgres = await startPostgres();
  try {
    return await vitest('postgres', args, { TEST_DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

/** Runs the journeys, slowed down by `TEST_LAG` where `env` says so. */
export async function journeys(env: Record<string, string> = {}, args: string[] = []): Promise<Outcome> {
  if (findOrInstallHeadlessChromium() === undefined) return missing(CHROMIUM_ADVICE);
  const report = join(reports, 'journeys.json');
  // Otherwise it translates every journey anew: the folder of temporary files, where it would look, is a new one in each run.
  const compiled = join(root, 'node_modules/.cache/playwright');
  const settings = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_TRANSFORM_CACHE_DIR: compiled, ...env };
  const run = await runProgram('playwright', ['test', ...args, '--reporter=list,json'], settings);
  const outcome = counted(run, report, readPlaywright);
  if (findChromium() !== undefined) return outcome;
  return { ...outcome, skipped: outcome.skipped + 1, partMissing: FULL_CHROMIUM_ADVICE };
}

/**
 * Checks the types of a project; what has not changed since the last time is known. Several threads would each check what all files use, which
 * takes more than half as much again, and the cores have other work.
 */
const tsc = (project: string, name: string) => {
  const known = ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${name}.json`];
  return runProgram('tsc', ['-p', project, '--singleThreaded', ...known]);
};

async function types(): Promise<Outcome> {
  const steps = [
    await tsc('tsconfig.json', 'root'),
    await runProgram('node', [reactRouter(), 'typegen', 'web']),
    await tsc('web/tsconfig.json', 'web'),
  ];
  const code = steps.find((step) => step.code !== 0)?.code ?? 0;
  return verdict({ code, output: steps.map((step) => step.output).join('') });
}

/** Every step of the checks, by its name. */
export const STEPS: Record<string, () => Promise<Outcome>> = {
  format: async () => verdict(await runProgram('biome', ['ci', '--colors=off', '.'])),
  lint: async () => verdict(await runProgram('oxlint', ['--deny-warnings', '--format=unix'])),
  types,
  tests: () => vitest('tests', [], findOrInstallPostgres() === undefined ? {} : { TEST_BESIDE_POSTGRES: '1' }),
  'tests-postgres': () => onPostgres(),
  build: async () => verdict(await runProgram('node', ['scripts/build.mjs'])),
  journeys: () => journeys(),
  // All of them run at night on an embedded server that was restored; some on PostgreSQL and a bucket.
  'journeys-restored': () =>
    journeys({ TEST_RESTORED: 'postgres' }, ['--project=desk', 'agents-and-sessions', 'attachments', 'memory.spec']),
  // Not part of a full run: the tests of recently changed features.
  // One worker, because each further one loads the server and a database first.
  changed: () => vitest('changed', ['--passWithNoTests', '--maxWorkers=1', ...testsBeside(changedFiles())]),
};

/**
 * Two lanes for two cores. The build's pages are rendered against a time-out, so it has a core of its own; the journeys depend on timing and
 * run alone.
 */
export const LANES = [
  [
    ['build', 'changed'],
    ['format', 'lint', 'types'],
  ],
  [['tests-postgres'], ['tests']],
  [['journeys', 'journeys-restored']],
];
