import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changedFiles, testsBeside } from './changed.ts';
import {
  type Counts,
  counted,
  missing,
  type Outcome,
  readPlaywright,
  readVitest,
  runProgram,
  stopAll,
  verdict,
} from './check-step.ts';
import { CHROMIUM_ADVICE, findOrInstallHeadlessChromium } from './chromium.ts';
import { findOrInstallPostgres, POSTGRES_ADVICE, startPostgres } from './postgres.ts';

const reports = mkdtempSync(join(tmpdir(), 'atelier-checks-'));

async function vitest(name: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const report = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return counted(await runProgram('vitest', ['run', ...args, ...reporters], env), report, readVitest);
}

async function onPostgres(): Promise<Outcome> {
  const bin = findOrInstallPostgres();
  if (bin === undefined) return missing(POSTGRES_ADVICE);
  const postgres = await startPostgres(bin);
  try {
    return await vitest('postgres', ['server'], { TEST_DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

async function journeys(): Promise<Outcome> {
  if (findOrInstallHeadlessChromium() === undefined) return missing(CHROMIUM_ADVICE);
  const report = join(reports, 'journeys.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  return counted(await runProgram('playwright', ['test', '--reporter=list,json'], env), report, readPlaywright);
}

// The web's own tools may be in its own node_modules.
const reactRouter = join(
  dirname(createRequire(join(import.meta.dirname, '../web/package.json')).resolve('@react-router/dev/package.json')),
  'bin.cjs',
);

/** Checks the types of a project; what has not changed since the last time is known. */
const tsc = (project: string, name: string) =>
  runProgram('tsc', ['-p', project, '--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${name}.json`]);

async function types(): Promise<Outcome> {
  const steps = [
    await tsc('tsconfig.json', 'root'),
    await runProgram('node', [reactRouter, 'typegen', 'web']),
    await tsc('web/tsconfig.json', 'web'),
  ];
  const code = steps.find((step) => step.code !== 0)?.code ?? 0;
  return verdict({ code, output: steps.map((step) => step.output).join('') });
}

const STEPS: Record<string, () => Promise<Outcome>> = {
  format: async () => verdict(await runProgram('biome', ['ci', '--colors=off', '.'])),
  lint: async () => verdict(await runProgram('oxlint', ['--deny-warnings', '--format=unix'])),
  'lint-fixtures': async () => verdict(await runProgram('node', ['scripts/lint-fixtures.ts'])),
  types,
  tests: () => vitest('tests', []),
  'tests-postgres': onPostgres,
  build: async () => verdict(await runProgram('node', ['scripts/build.mjs'])),
  journeys,
  // Not part of a full run: the tests of recently changed features.
  // One worker, because each further one loads the server and a database first; types are checked on the other core meanwhile.
  changed: () => vitest('changed', ['--passWithNoTests', '--maxWorkers=1', ...testsBeside(changedFiles())]),
};

/** Two lanes for two cores. The build (its pages are rendered against a time-out) and the journeys depend on timing, so they run alone. */
const LANES = [
  [['build']],
  [
    ['format', 'lint', 'lint-fixtures', 'types', 'tests-postgres'],
    ['tests', 'changed'],
  ],
  [['journeys']],
];

const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const named = process.argv.slice(2);
/** A quick answer while working: the quick checks, and the tests beside the changes. */
const asked = named.includes('changed') ? [...named, 'format', 'lint', 'types'] : named;
const unknown = asked.filter((name) => !Object.hasOwn(STEPS, name));
if (unknown.length > 0)
  throw new Error(`There is no step ${unknown.join(', ')}. Steps: ${Object.keys(STEPS).join(', ')}`);

const count = ({ passed, failed, skipped }: Counts) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

async function take(name: string): Promise<void> {
  const since = Date.now();
  const broken = (error: unknown) =>
    verdict({ code: 1, output: error instanceof Error ? (error.stack ?? '') : String(error) });
  const outcome = await (STEPS[name]?.() ?? Promise.reject(new Error(name))).catch(broken);
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += outcome[key];
  const worthReading = outcome.failed > 0 || outcome.skipped > 0 || asked.length > 0;
  console.log(`== ${name}: ${count(outcome)} (${Math.round((Date.now() - since) / 1000)} s)`);
  if (worthReading && outcome.output.trim() !== '') console.log(`${outcome.output.trimEnd()}\n`);
}

process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) {
  process.once(signal, () => {
    stopAll();
    process.exit(130);
  });
}
process.channel?.unref();

for (const lanes of LANES) {
  const chosen = lanes.map((lane) =>
    lane.filter((name) => (asked.length === 0 ? name !== 'changed' : asked.includes(name))),
  );
  await Promise.all(
    chosen.map(async (lane) => {
      for (const name of lane) await take(name);
    }),
  );
}

console.log(count(total));
process.exit(total.failed > 0 ? 1 : 0);
