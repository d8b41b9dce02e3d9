import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { reactRouter } from './bootstrap.mjs';
import { changedFiles, testsBeside } from './changed.ts';
import { CHROMIUM_ADVICE, FULL_CHROMIUM_ADVICE, findChromium, findOrInstallHeadlessChromium } from './chromium.ts';
import { findOrInstallPostgres, POSTGRES_ADVICE, startPostgres } from './postgres.ts';

const root = join(import.meta.dirname, '..');

export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  output: string;
  /** What this machine can't run, and how to get it. */
  missing?: string;
}

const running = new Set<ChildProcess>();

/** Ends every program that a step is still running. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGTERM');
}

interface Run {
  code: number;
  output: string;
}

/** npm installs a program beside the root's packages or beside those of the workspace that needs it. */
function pathOf(program: string): string {
  if (program === 'node') return process.execPath;
  const paths = ['.', 'web', 'server'].map((folder) => join(root, folder, 'node_modules', '.bin', program));
  return paths.find((path) => existsSync(path)) ?? program;
}

/** Runs an installed program (or `node`) to its end and collects its output. */
function runProgram(program: string, args: string[], env: Record<string, string> = {}): Promise<Run> {
  return new Promise((done) => {
    const child = spawn(pathOf(program), args, {
      cwd: root,
      env: { ...process.env, ...env, FORCE_COLOR: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (output += chunk));
    child.once('error', (error) => void (output += error.message));
    child.once('close', (code) => {
      running.delete(child);
      done({ code: code ?? 1, output });
    });
  });
}

/** A step that only passes or fails counts as one. */
export const verdict = ({ code, output }: Run): Outcome => ({
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  skipped: 0,
  output,
});

/** A step that this machine can't run. On a CI machine, that is a failure. */
const missing = (step: string, advice: string): Outcome =>
  process.env.CI === undefined || process.env.CI === ''
    ? { passed: 0, failed: 0, skipped: 1, output: '', missing: `${step} was skipped: ${advice}` }
    : { passed: 0, failed: 1, skipped: 0, output: advice };

type Json = ReturnType<typeof JSON.parse>;
type Counts = Omit<Outcome, 'output'>;

/** The counts of a runner; one that failed without naming a failed test counts as one failure. */
function counted({ code, output }: Run, report: string, read: (json: Json) => Counts): Outcome {
  if (!existsSync(report)) return verdict({ code: 1, output: `${output}\nIt left no report.` });
  const counts = read(JSON.parse(readFileSync(report, 'utf8')));
  return { ...counts, failed: code === 0 ? counts.failed : Math.max(counts.failed, 1), output };
}

/** A file that could not be loaded is one failure. */
function readVitest({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }: Json): Counts {
  const hasNoFailure = ({ assertionResults }: Json) =>
    assertionResults.every(({ status }: Json) => status !== 'failed');
  const unloaded = testResults.filter((file: Json) => file.status === 'failed' && hasNoFailure(file)).length;
  return { passed: numPassedTests, failed: numFailedTests + unloaded, skipped: numPendingTests + numTodoTests };
}

/** A journey that passed only when repeated has failed. */
const readPlaywright = ({ stats, errors }: Json): Counts => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky + errors.length,
  skipped: stats.skipped,
});

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
  if (findOrInstallPostgres() === undefined) return missing('tests-postgres', POSTGRES_ADVICE);
  const postgres = await startPostgres();
  try {
    return await vitest('postgres', args, { TEST_DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

/** Runs the journeys, slowed down by `TEST_LAG` where `env` says so. */
export async function journeys(env: Record<string, string> = {}, args: string[] = []): Promise<Outcome> {
  if (findOrInstallHeadlessChromium() === undefined) return missing('journeys', CHROMIUM_ADVICE);
  const report = join(reports, 'journeys.json');
  // Compiled journeys stay between runs: the temporary folder, the default place, is a new one in each.
  const compiled = join(root, 'node_modules/.cache/playwright');
  const settings = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_TRANSFORM_CACHE_DIR: compiled, ...env };
  const run = await runProgram('playwright', ['test', ...args, '--reporter=list,json'], settings);
  const outcome = counted(run, report, readPlaywright);
  if (findChromium() !== undefined) return outcome;
  return { ...outcome, skipped: outcome.skipped + 1, missing: FULL_CHROMIUM_ADVICE };
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

export const JOURNEYS_AT_NIGHT = ['journeys-restored', 'journeys-late-calls', 'journeys-late-answers'];

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
  // Those of the day, beside a network that is late.
  'journeys-late-calls': () => journeys({ TEST_LAG: 'calls:800,scripts:800', TEST_EFFORT: '' }),
  'journeys-late-answers': () => journeys({ TEST_LAG: 'answers:800', TEST_EFFORT: '' }),
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
  [['journeys', ...JOURNEYS_AT_NIGHT]],
];
