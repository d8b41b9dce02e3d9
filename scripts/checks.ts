// `npm test`, `npm test -- lint types`, `npm run test:nightly`, `npm run test:stress`.
import { spawn } from 'node:child_process';
import { JOURNEYS_AT_NIGHT, LANES, type Outcome, onPostgres, STEPS, stopAll, verdict, vitest } from './check-steps.ts';

const named = process.argv.slice(2);
// Every program that a step starts inherits it.
if (named.includes('nightly')) process.env.TEST_EFFORT = 'nightly';
const steps = named.filter((name) => name !== 'nightly' && name !== 'stress');
/** A quick answer while working: the quick checks, and the tests beside the changes. */
const asked = steps.includes('changed') ? [...steps, 'format', 'lint', 'types'] : steps;
const unknown = asked.filter((name) => !Object.hasOwn(STEPS, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no step ${unknown.join(', ')}. Steps: ${Object.keys(STEPS).join(', ')}, and nightly\n`,
  );
  process.exit(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) {
  process.once(signal, () => {
    stopAll();
    process.exit(130);
  });
}
process.channel?.unref();

const total = { passed: 0, failed: 0, skipped: 0 };
const failed: string[] = [];
/** Why this machine could not run something. */
const skips: string[] = [];

const count = ({ passed, failed: failures, skipped }: typeof total) =>
  `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** Runs a step, adds its counts to the total and prints them, with its output where that is worth reading. */
async function takeStep(name: string, step: () => Promise<Outcome>): Promise<void> {
  const since = Date.now();
  const broken = (error: unknown) =>
    verdict({ code: 1, output: error instanceof Error ? (error.stack ?? '') : String(error) });
  const outcome = await step().catch(broken);
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += outcome[key];
  if (outcome.failed > 0) failed.push(name);
  if (outcome.missing !== undefined) skips.push(outcome.missing);
  console.log(`== ${name}: ${count(outcome)} (${Math.round((Date.now() - since) / 1000)} s)`);
  const isWorthReading = outcome.failed > 0 || outcome.skipped > 0 || asked.length > 0;
  if (isWorthReading && outcome.output.trim() !== '') console.log(`${outcome.output.trimEnd()}\n`);
}

const never = ['changed', ...(process.env.TEST_EFFORT === 'nightly' ? [] : JOURNEYS_AT_NIGHT)];
const isChosen = (name: string) => (asked.length === 0 ? !never.includes(name) : asked.includes(name));

async function takeLane(lane: string[]): Promise<void> {
  for (const name of lane.filter(isChosen))
    await takeStep(name, STEPS[name] ?? (() => Promise.reject(new Error(name))));
}

/** Files that start processes, break connections, or watch clocks and streams; and those that break a PostgreSQL of their own. */
const TOUCHY = [
  'features/files/files.crash.test',
  'features/live/live.database',
  'features/mcp/mcp.test',
  'features/mcp/mcp.bad-http',
  'features/runs/runs.clock',
  'features/runs/runs.follow.database',
  'features/runs/runs.recovery.database',
  'platform/sandbox/javascript',
];
const OUTAGES = ['app.outage', 'platform/jobs/jobs.outage'];
const isStress = named.includes('stress');

if (isStress) {
  // Eight other programs want the processors. They end by themselves when this process is gone, however it ends.
  const spin = 'const parent = process.ppid; while (process.ppid === parent);';
  for (let i = 0; i < 8; i += 1) spawn(process.execPath, ['-e', spin], { stdio: 'ignore' }).unref();
}
for (const lanes of LANES) await Promise.all(lanes.map(takeLane));
if (isStress) {
  for (let round = 1; round <= 10; round += 1) {
    await takeStep(`touchy, round ${round}`, () => vitest('touchy', TOUCHY));
    await takeStep(`outages, round ${round}`, () => onPostgres(OUTAGES));
  }
}

// What was skipped and why, the steps that failed, then the counts as the last line.
for (const sentence of skips) console.log(sentence);
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
console.log(count(total));
process.exit(total.failed > 0 ? 1 : 0);
