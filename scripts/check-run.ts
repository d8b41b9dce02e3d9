import { type Counts, type Outcome, stopAll, verdict } from './check-step.ts';
import { LANES, STEPS } from './check-steps.ts';

const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const failed: string[] = [];
/** Why this machine could not run something. */
const skips: string[] = [];

const count = ({ passed, failed, skipped }: Counts) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** Runs a step, adds its counts to the total and prints them, with its output where that is worth reading. */
export async function takeStep(name: string, step: () => Promise<Outcome>, isAsked = false): Promise<void> {
  const since = Date.now();
  const broken = (error: unknown) =>
    verdict({ code: 1, output: error instanceof Error ? (error.stack ?? '') : String(error) });
  const outcome = await step().catch(broken);
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += outcome[key];
  if (outcome.failed > 0) failed.push(name);
  if (outcome.missing !== undefined) skips.push(`${name} was skipped: ${outcome.missing}`);
  if (outcome.partMissing !== undefined) skips.push(outcome.partMissing);
  console.log(`== ${name}: ${count(outcome)} (${Math.round((Date.now() - since) / 1000)} s)`);
  const isWorthReading = outcome.failed > 0 || outcome.skipped > 0 || isAsked;
  if (isWorthReading && outcome.output.trim() !== '') console.log(`${outcome.output.trimEnd()}\n`);
}

/** Runs all steps, or those that are asked for, lane beside lane. */
export async function takeLanes(asked: readonly string[] = []): Promise<void> {
  const never = ['changed', ...(process.env.TEST_EFFORT === 'nightly' ? [] : ['journeys-restored'])];
  const isChosen = (name: string) => (asked.length === 0 ? !never.includes(name) : asked.includes(name));
  for (const lanes of LANES) {
    await Promise.all(
      lanes.map(async (lane) => {
        for (const name of lane.filter(isChosen)) {
          const step = STEPS[name] ?? (() => Promise.reject(new Error(name)));
          await takeStep(name, step, asked.length > 0);
        }
      }),
    );
  }
}

/** Ends this process, and all that it started, when it is told to. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) {
    process.once(signal, () => {
      stopAll();
      process.exit(130);
    });
  }
  process.channel?.unref();
}

/** Prints what was skipped and why, the steps that failed, then the counts as the last line, and ends this process. */
export function endWithTotal(): never {
  for (const sentence of skips) console.log(sentence);
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
  console.log(count(total));
  process.exit(total.failed > 0 ? 1 : 0);
}
